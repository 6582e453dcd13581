/**
 * What stands around the sections: head, policy, style, and the list of sections. The policy allows nothing but
 * the one style sheet, named by its hash: even markup that slipped through could load or run nothing.
 */
import { hash } from 'node:crypto';
import type { ReportHeader } from '../../../../domain/reporting/report.ts';
import { Html, html } from './html.ts';
import { STYLE } from './style.ts';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const SECTIONS: readonly (readonly [string, string])[] = [
  ['control', 'Control checks'],
  ['money', 'Money by currency'],
  ['exceptions', 'What to look at'],
  ['charts', 'Charts'],
  ['rows', 'All payments'],
  ['audit', 'Decisions'],
  ['source', 'Where this comes from'],
  ['words', 'What the words mean'],
];

export function pageHead({ batch, environment }: ReportHeader): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="generator" content="payfile">
<title>Payments of ${batch.name ?? batch.id} (${environment})</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the checks</a>
`;
}

export function sectionLinks(): Html {
  const links = SECTIONS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>\n`);
  return html`<nav aria-label="Sections"><ul>
${links}</ul></nav>
<main id="main">
`;
}

export const PAGE_END = html`</main>
<footer><p>Made by payfile. Account numbers are whole only where that was asked for.</p></footer>
</body>
</html>
`;
