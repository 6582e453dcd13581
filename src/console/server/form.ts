/** What a form brought: a few short fields, and a file perhaps. A field that is missing is empty, as in a browser. */

export interface Form {
  readonly text: (name: string) => string;
  readonly all: (name: string) => readonly string[];
  readonly file?: UploadedFile | undefined;
}

export interface UploadedFile {
  /** Where it lies until the form is answered, unless it is moved. */
  readonly path: string;
  /** As the browser called it; never part of a path. */
  readonly name: string;
}

/** More, larger or other than a form of the console sends. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';
  readonly code = 'form_refused';
}

const FIELDS_MAX = 500;

/** Throws FormRefused. */
export function formOf(body: string): Form {
  const fields = new URLSearchParams(body);
  if (fields.size > FIELDS_MAX)
    throw new FormRefused(`A form may have ${FIELDS_MAX} fields; this has ${fields.size}.`);
  return {
    text: (name) => (fields.get(name) ?? '').trim(),
    all: (name) => fields.getAll(name),
  };
}
