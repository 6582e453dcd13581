/**
 * The way of a file to its payments, as steps that every page of it shows, and the bar with what can be done now. Both
 * stay in sight: whoever looks at row 3,000 sees where they are and how to go on.
 */
import { type Html, html, NOTHING, type Piece } from '../../views/html.ts';

const STEPS = {
  upload: 'Upload',
  check: 'Check',
  review: 'Review',
  approve: 'Approve',
  send: 'Send',
} as const;

export type StepName = keyof typeof STEPS;

export interface Way {
  readonly at: StepName;
  /** Pages of other steps that can be looked at now. */
  readonly links?: Partial<Record<StepName, string>>;
  /** The step is done too: nothing more is to be done on this way. */
  readonly isDone?: boolean;
}

export function wayList({ at, links = {}, isDone = false }: Way): Html {
  const names = Object.keys(STEPS) as StepName[];
  const here = names.indexOf(at);
  const steps = names.map((name, index) => {
    const isBehind = index < here || (index === here && isDone);
    const state = isBehind ? html` class="done"` : NOTHING;
    const current = index === here ? html` aria-current="step"` : NOTHING;
    const path = index === here ? undefined : links[name];
    const text = html`<b>${isBehind ? '✔' : index + 1}</b> ${STEPS[name]}`;
    return html`<li${state}${current}>${path === undefined ? text : html`<a href="${path}">${text}</a>`}</li>`;
  });
  return html`<ol class="steps" id="steps" aria-label="Steps of the payment">${steps}</ol>\n`;
}

interface Bar {
  /** What it is about: `24 rows, GHS 12,000.00`. */
  readonly about?: Piece;
  /** The one primary button. */
  readonly main?: Html | undefined;
  readonly others?: readonly Html[];
}

/** Goes into `bar` of a page. */
export function actionBar({ about, main, others = [] }: Bar): Html {
  if (main === undefined && others.length === 0 && about === undefined) return NOTHING;
  return html`<div class="bar" id="bar" tabindex="-1" role="region" aria-label="Actions">${about === undefined ? NOTHING : html`<p>${about}</p>`}${others}${main ?? NOTHING}</div>\n`;
}

type Look = 'main' | 'grave' | 'plain';

/** A button that sends a form of its own. */
export function postButton(path: string, name: string, look: Look = 'plain', fields: Piece = NOTHING): Html {
  return html`<form method="post" action="${path}" class="inline">${fields}<button class="${look}">${name}</button></form>`;
}

/** A button that sends a form that stands elsewhere on the page. `decision`: what this button of several decides. */
export function formButton(form: string, name: string, look: Look = 'plain', decision?: string): Html {
  const value = decision === undefined ? NOTHING : html` name="decision" value="${decision}"`;
  return html`<button form="${form}" class="${look}"${value}>${name}</button>`;
}

export function linkButton(path: string, name: string, look: Look = 'plain'): Html {
  return html`<a class="button ${look}" href="${path}">${name}</a>`;
}
