/**
 * What the console's routes are made of, as data: who may come, what a visit brings, and what it is answered with. Only
 * app.ts knows how any of this becomes HTTP.
 */
import type { Deed, Person } from '../../domain/people/person.ts';
import type { Payfile } from '../../payfile.ts';
import type { Desk } from '../desk.ts';
import type { Form } from './form.ts';
import type { Page } from './page.ts';
import type { Entered, Said } from './sessions.ts';

export { type Page, page } from './page.ts';

/** Whose visit is answered: everybody's, or of whoever entered and may do this kind of deed. */
export type May = 'anyone' | Deed;

export interface Route {
  readonly method: 'GET' | 'POST';
  /** `/batches/:batch/rows/:row`. */
  readonly path: string;
  readonly may: May;
  readonly handle: (visit: Visit) => Promise<Answer>;
}

export interface Visit {
  readonly desk: Desk;
  /** Who entered. Throws TypeError where nobody did: on routes for anyone. */
  readonly person: Person;
  /** Who is in and, as this browser says, came in with it. On pages for anyone; good for refusing, never for letting in. */
  readonly marked: string | undefined;
  /** Everything that can be done, in the name of whoever entered. Throws as `person` does. */
  readonly payfile: Payfile;
  /** A part of the path by its name; empty where the route has none. */
  readonly part: (name: string) => string;
  readonly query: URLSearchParams;
  /** The page asks again by itself, and no person did anything. */
  readonly isAgain: boolean;
  /** Read once, when it is its turn. Throws FormRefused, TooManyAtOnce. */
  readonly form: () => Promise<Form>;
  /** Ends when the browser goes away. */
  readonly signal: AbortSignal;
}

export type Answer =
  | Page
  /** After an action: the page to look at, and what it says on top. */
  | { readonly kind: 'see'; readonly path: string; readonly said?: Said | undefined }
  /** A file of the desk's own folder; removed once it was read. */
  | {
      readonly kind: 'download';
      readonly path: string;
      readonly name: string;
      readonly type: string;
      /** The browser shows it: a page of its own that runs nothing. */
      readonly isShown?: boolean;
    }
  | {
      readonly kind: 'asset';
      readonly body: string;
      readonly gzipped: Uint8Array<ArrayBuffer>;
      readonly type: string;
    }
  | { readonly kind: 'entered'; readonly page: Page; readonly as: Entered }
  | { readonly kind: 'left'; readonly path: string };

export function see(path: string, said?: string): Answer {
  return { kind: 'see', path, said: said === undefined ? undefined : { text: said, isDone: true } };
}

/** The same where nothing was done: why not. */
export function seeWhyNot(path: string, why: string): Answer {
  return { kind: 'see', path, said: { text: why, isDone: false } };
}

/** An address within the console; each part is what it stands for, however it is written. */
export function address(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((text, part, at) => text + encodeURIComponent(String(values[at - 1] ?? '')) + part);
}
