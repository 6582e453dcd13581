/**
 * The style sheet: light and dark by what the reader's system says, cards on a phone, A4 on paper. Colors have a
 * contrast of at least 4.5 to what is behind them; a word or symbol always says the same.
 */
import { printable } from '../../domain/text/printable.ts';
import { COLORS } from '../colors.ts';
import { LEFT_OUT_COLUMNS } from '../left-out-columns.ts';
import { cardNames } from '../table.ts';
import { AUDIT_COLUMNS } from './proof.ts';
import { EXCEPTION_COLUMNS, ROW_COLUMNS } from './rows-section.ts';

/** Of every page. */
const BASE = `
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem 1rem;z-index:2}
.place.live{background:var(--bad)}
.place.sandbox{background:var(--moving)}
.note,caption{color:var(--quiet);font-size:.875rem}
.counts li{min-width:8rem;padding:.5rem .9rem;border:1px solid var(--line);border-left:.3rem solid;border-radius:.25rem;background:var(--panel)}
.counts b{display:block;font-size:1.375rem;line-height:1.2;color:var(--ink);font-variant-numeric:tabular-nums}
.good{color:var(--good)}.moving{color:var(--moving)}.doubt{color:var(--doubt)}
.bad{color:var(--bad)}.returned{color:var(--returned)}.quiet{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
`;

const PAGE = `
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1.5rem}
nav{margin-top:1.75rem;background:var(--panel);border:1px solid var(--line);border-width:1px 0}
nav ul{max-width:76rem;margin:0 auto;padding:.4rem 1.5rem;list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;font-size:.875rem}
nav a{display:inline-block;padding:.25rem 0}
header{padding-top:1.75rem}
.about{margin:0;color:var(--quiet)}
.about b{color:var(--ink)}
.place{display:inline-block;margin-right:.6rem;padding:.1rem .6rem;border-radius:.25rem;font-size:.8125rem;letter-spacing:.04em;color:var(--paper)}
h1{margin:.5rem 0;font-size:1.75rem;line-height:1.25;overflow-wrap:anywhere}
h1.bad{border-left:.35rem solid var(--bad);padding-left:.8rem}
h2{margin:3rem 0 .75rem;font-size:1.3125rem;line-height:1.3}
h3{margin:0 0 .75rem;font-size:1.0625rem}
section:target>h2{text-decoration:underline}
.verdict{max-width:60rem;margin:.5rem 0}
.ties{color:var(--good);font-weight:600}
.differs{color:var(--bad);font-weight:600}
.alarm{border-left:.35rem solid var(--bad);background:var(--panel);padding:.5rem 1rem;margin:0 0 1rem}
.counts{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.25rem 0 0;padding:0;list-style:none}
.counts span{font-size:.875rem}
h1.bad{color:var(--ink)}
.badge{font-weight:600}
code{font:.875em/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;background:var(--panel);border-radius:.2rem;padding:.1rem .3rem;overflow-wrap:anywhere;display:inline-block;max-width:100%;white-space:pre-wrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;margin:0;font-size:.875rem}
dt{color:var(--quiet)}
footer{margin-top:3rem;padding-top:1rem;padding-bottom:2rem;color:var(--quiet);font-size:.875rem}
`;

const TABLES = `
.wide{overflow-x:auto}
table{width:100%;border-collapse:collapse;margin:0 0 1.25rem;font-size:.875rem}
caption{text-align:left;padding:0 0 .4rem}
th,td{padding:.35rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
th:first-child,td:first-child{padding-left:.4rem}
thead th{background:var(--panel);font-size:.95em;font-weight:600;vertical-align:bottom}
tbody th{font-weight:600}
.num,.id{white-space:nowrap}
.num{text-align:right;font-variant-numeric:tabular-nums}
.sum>*{font-weight:600;border-top:2px solid var(--line)}
.stack thead th{position:sticky;top:0}
.look code{font-size:.9em}
.slice{content-visibility:auto;contain-intrinsic-size:auto 16000px}
.rows{font-size:.8125rem}
.rows .c3{min-width:7rem}
tr:target{background:var(--panel);outline:2px solid var(--link)}
.under{display:block;color:var(--quiet);font-size:.8125rem;font-weight:400}
td>a{text-decoration-color:var(--line)}
`;

const CHARTS = `
.beside{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;align-items:flex-start}
.beside table{width:auto}
.chart{margin:0;width:22rem;max-width:100%}
figcaption{font-size:.875rem;color:var(--quiet);margin:0 0 .4rem}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--ink);font-size:11.5px}
rect.good{fill:var(--good)}rect.moving{fill:var(--moving)}rect.doubt{fill:var(--doubt)}
rect.bad{fill:var(--bad)}rect.returned{fill:var(--returned)}rect.quiet{fill:var(--quiet)}rect.bar{fill:var(--bar)}
`;

const PHONE = `
@media screen and (max-width:52rem){
header,main,footer{padding-left:1rem;padding-right:1rem}
nav ul{padding-left:1rem;padding-right:1rem}
h1{font-size:1.375rem}
.counts li{min-width:calc(50% - .3rem);flex:1}
dl{grid-template-columns:1fr;gap:0}
dd{margin-bottom:.6rem}
.slice{contain-intrinsic-size:auto 110000px}
.stack th,.stack td{overflow-wrap:anywhere}
.stack,.stack tbody{display:block}
.stack caption{display:block}
.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.stack thead th{position:static}
.stack tr{display:block;margin:0 0 .8rem;padding:.6rem .8rem;border:1px solid var(--line);border-radius:.4rem}
.stack tbody tr>*{display:block;position:relative;min-height:1.9em;padding:.15rem 0 .15rem 7.5rem;border:0;text-align:left}
.stack tbody tr>*::before{position:absolute;left:0;width:7.2rem;color:var(--quiet);font-size:.875rem;font-weight:400}
.stack tbody tr>:empty{display:none}
.stack .num,.stack .id{white-space:normal}
${cardNames('look', EXCEPTION_COLUMNS)}
${cardNames('rows', ROW_COLUMNS)}
${cardNames('audit', AUDIT_COLUMNS)}
${cardNames('left-out', LEFT_OUT_COLUMNS)}
}
`;

const PRINT = `
@page{size:A4 landscape;margin:11mm 11mm 13mm;@bottom-right{content:"Page " counter(page) " of " counter(pages);font:8pt sans-serif}}
@media print{
body{font-size:8.5pt;line-height:1.35;print-color-adjust:exact;-webkit-print-color-adjust:exact}
nav,.skip,footer{display:none}
header,main{max-width:none;padding:0}
p{margin:.8mm 0}
a{color:inherit;text-decoration:none}
.place{padding:0 1.5mm}
h1{font-size:15pt;margin:1mm 0}
h2{font-size:10.5pt;margin:3.5mm 0 1mm}
h2,caption,thead{break-after:avoid}
:is(thead,caption)+tbody>tr:first-child,.sum{break-before:avoid}
table{font-size:7.5pt;line-height:1.25;margin:0 0 2mm}
.rows{font-size:7pt}
caption,.note,figcaption{font-size:7pt;padding:0 0 .5mm}
thead{display:table-header-group}
.wide{overflow:visible}
.slice{content-visibility:visible}
.stack thead th{position:static}
tr,svg,.alarm,.beside{break-inside:avoid}
th,td{padding:.65mm 1.2mm}
.beside{gap:2mm 8mm}
.chart{width:74mm}
svg text{font-size:12.5px}
.under{font-size:6.5pt}
dl{font-size:7pt;gap:.2mm 3mm;grid-template-columns:max-content 1fr max-content 1fr}
.look code{display:inline;padding:0}
.look .c2{min-width:28mm}
}
`;

/** Of the sections, for a page that has a frame of its own: its own rules stand between the two. */
export const SCREEN_STYLE = COLORS + BASE + TABLES + CHARTS;
export const PAPER_STYLE = PHONE + PRINT;

/** `foot` stands at the bottom of every printed page. */
export function pageStyle(foot: string): string {
  return `${COLORS}${BASE}${PAGE}${TABLES}${CHARTS}${PAPER_STYLE}@page{@bottom-left{content:"${cssText(foot)}";font:8pt sans-serif}}\n`;
}

/** Text from outside inside a CSS string: every character but letters of ASCII, digits and spaces by its number. */
function cssText(text: string): string {
  return printable(text).replaceAll(
    /[^A-Za-z0-9 ]/gu,
    (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `,
  );
}
