/**
 * The style sheet: light and dark by what the reader's system says, cards on a phone, A4 on paper. Colors have a
 * contrast of at least 4.5 to what is behind them; a word or symbol always says the same.
 */
import { COLORS } from '../colors.ts';
import { cardNames, cardWidths } from '../table.ts';
import { AUDIT_COLUMNS } from './audit-section.ts';
import { FEE_COLUMNS, SHARE_COLUMNS } from './charts.ts';
import { COST_COLUMNS } from './control-section.ts';
import { EXCEPTION_COLUMNS, ROW_COLUMNS } from './rows-section.ts';

const PAGE = `
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1.5rem}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem 1rem;z-index:2}
nav{margin-top:1.75rem;background:var(--panel);border:1px solid var(--line);border-width:1px 0}
nav ul{max-width:76rem;margin:0 auto;padding:.4rem 1.5rem;list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;font-size:.875rem}
nav a{display:inline-block;padding:.25rem 0}
header{padding-top:1.75rem}
.about{margin:0;color:var(--quiet)}
.about b{color:var(--ink)}
.place{display:inline-block;margin-right:.6rem;padding:.1rem .6rem;border-radius:.25rem;font-size:.8125rem;letter-spacing:.04em;color:var(--paper)}
.place.live{background:var(--bad)}
.place.sandbox{background:var(--moving)}
h1{margin:.5rem 0;font-size:1.75rem;line-height:1.25;overflow-wrap:anywhere}
h1.bad{border-left:.35rem solid var(--bad);padding-left:.8rem}
h2{margin:3rem 0 .75rem;font-size:1.3125rem;line-height:1.3}
h3{margin:0 0 .75rem;font-size:1.0625rem}
section:target>h2{text-decoration:underline}
.verdict{max-width:60rem;margin:.5rem 0}
.ties{color:var(--good);font-weight:600}
.differs{color:var(--bad);font-weight:600}
.note,caption{color:var(--quiet);font-size:.875rem}
.alarm{border-left:.35rem solid var(--bad);background:var(--panel);padding:.5rem 1rem;margin:0 0 1rem}
.counts{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.25rem 0 0;padding:0;list-style:none}
.counts li{min-width:8rem;padding:.5rem .9rem;border:1px solid var(--line);border-left:.3rem solid;border-radius:.25rem;background:var(--panel)}
.counts b{display:block;font-size:1.375rem;line-height:1.2;color:var(--ink);font-variant-numeric:tabular-nums}
.counts span{font-size:.875rem}
.good{color:var(--good)}.moving{color:var(--moving)}.doubt{color:var(--doubt)}
.bad{color:var(--bad)}.returned{color:var(--returned)}.quiet{color:var(--quiet)}
h1.bad{color:var(--ink)}
.badge{font-weight:600}
code{font:.875em/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;background:var(--panel);border-radius:.2rem;padding:.1rem .3rem;overflow-wrap:anywhere;display:inline-block;max-width:100%;white-space:pre-wrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.5rem;margin:0}
dt{font-weight:600}
dd{margin:0}
footer{margin-top:3rem;padding-top:1rem;padding-bottom:2rem;color:var(--quiet);font-size:.875rem}
`;

const TABLES = `
table{width:100%;border-collapse:collapse;margin:0 0 1.25rem;font-size:.9375rem}
caption{text-align:left;padding:0 0 .4rem}
th,td{padding:.45rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
th:first-child,td:first-child{padding-left:.4rem}
thead th{background:var(--panel);font-size:.9em;font-weight:600;vertical-align:bottom;overflow-wrap:normal}
tbody th{font-weight:600}
.num{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}
tbody+tbody tr:first-child>*{border-top:2px solid var(--line)}
main>section>table:not(.stack){width:auto;min-width:min(40rem,100%)}
.stack{font-size:.875rem}
.stack thead th{position:sticky;top:0}
.stack{table-layout:fixed}
.stack th,.stack td{padding-left:.4rem;padding-right:.4rem}
.stack td.num{overflow-wrap:anywhere}
${cardWidths('look', EXCEPTION_COLUMNS)}
${cardWidths('rows', ROW_COLUMNS)}
${cardWidths('fees', FEE_COLUMNS)}
.stack time{font-size:.93em}
.stack.costs{max-width:50rem}
.stack.shares{table-layout:auto}
${cardWidths('audit', AUDIT_COLUMNS)}
.slice{content-visibility:auto;contain-intrinsic-size:auto 32000px}
tr:target{background:var(--panel);outline:2px solid var(--link)}
.under{display:block;color:var(--quiet);font-size:.8125rem}
a.under{color:var(--link)}
`;

const CHARTS = `
.charts{columns:2;column-gap:1.25rem}
.chart{break-inside:avoid;margin:0 0 1.25rem;border:1px solid var(--line);border-radius:.4rem;padding:1rem 1.25rem}
.chart table{margin:.75rem 0 0;font-size:.8125rem}
.chart th,.chart td{padding:.25rem .4rem}
svg{display:block;width:100%;max-width:34rem;height:auto;margin:0 0 .5rem}
svg text{fill:var(--ink);font-size:11px}
svg .on{fill:var(--paper)}
rect.good{fill:var(--good)}rect.moving{fill:var(--moving)}rect.doubt{fill:var(--doubt)}
rect.bad{fill:var(--bad)}rect.returned{fill:var(--returned)}rect.quiet{fill:var(--quiet)}
.bar{fill:var(--bar)}
.area{fill:var(--bar);fill-opacity:.25}
.stair{fill:none;stroke:var(--bar);stroke-width:2}
.goal{stroke:var(--quiet);stroke-dasharray:4 3}
.base{stroke:var(--line)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:0;padding:0;list-style:none;font-size:.8125rem}
.axis{display:flex;justify-content:space-between;gap:1rem;max-width:34rem;margin:0;color:var(--quiet);font-size:.75rem}
`;

const PHONE = `
@media screen and (max-width:60rem){.charts{columns:1}}
@media screen and (max-width:52rem){
header,main,footer{padding-left:1rem;padding-right:1rem}
nav ul{padding-left:1rem;padding-right:1rem}
h1{font-size:1.375rem}
.counts li{min-width:calc(50% - .3rem);flex:1}
dl{grid-template-columns:1fr;gap:0}
dd{margin-bottom:.6rem}
table{font-size:.8125rem}
th,td{padding:.4rem .2rem}
.stack,.chart .stack{font-size:.9375rem}
main>section>table:not(.stack){width:100%}
tbody th{overflow-wrap:break-word}
td,td.num{overflow-wrap:anywhere}
#control td:not(:last-child,.count){min-width:7.8em}
#money td:nth-child(2){min-width:5.6em}
table:not(.stack){font-size:.75rem}
table:not(.stack) .money{min-width:7.4em}
.stack th,.stack td{overflow-wrap:anywhere}
.chart .stack tr{padding:.3rem .6rem}
.chart{padding:.9rem .8rem}
.slice{contain-intrinsic-size:auto 110000px}
.stack,.stack tbody{display:block}
.stack caption{display:block}
.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.stack thead th{position:static}
.stack tr{display:block;margin:0 0 .8rem;padding:.6rem .8rem;border:1px solid var(--line);border-radius:.4rem}
.stack tbody tr>*{display:block;position:relative;min-height:1.9em;padding:.15rem 0 .15rem 7.5rem;border:0;text-align:left}
.stack tbody tr>*::before{position:absolute;left:0;width:7.2rem;color:var(--quiet);font-size:.875rem;font-weight:400}
.stack tbody tr>:empty{display:none}
.stack .num{white-space:normal}
${cardNames('look', EXCEPTION_COLUMNS)}
${cardNames('rows', ROW_COLUMNS)}
${cardNames('audit', AUDIT_COLUMNS)}
${cardNames('costs', COST_COLUMNS)}
${cardNames('shares', SHARE_COLUMNS)}
${cardNames('fees', FEE_COLUMNS)}
}
`;

const PRINT = `
@page{size:A4;margin:14mm 12mm 16mm;@bottom-left{content:"payfile report";font:9px sans-serif}@bottom-right{content:"Page " counter(page) " of " counter(pages);font:9px sans-serif}}
@page wide{size:A4 landscape}
@media print{
body{font-size:10pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}
nav,.skip,footer{display:none}
header,main{max-width:none;padding:0}
header{padding-top:0}
a,a.under{color:inherit;text-decoration:none}
h1{font-size:16pt}
h2{font-size:13pt;margin:7mm 0 2mm}
h2,h3,caption,thead{break-after:avoid}
:is(thead,caption)+tbody>tr:first-child{break-before:avoid}
table,.chart table{font-size:8pt}
.stack{font-size:7.5pt}
thead{display:table-header-group}
.slice{content-visibility:visible}
.stack thead th{position:static}
tr,svg,.counts li,.alarm,table:not(.stack) tbody{break-inside:avoid}
th,td{padding:1mm 1.5mm}
.charts{columns:auto}
.chart{border:0;padding:0;margin:0 0 6mm;break-inside:auto}
svg{display:block;max-width:130mm}
.axis{max-width:130mm}
.axis,.legend{break-before:avoid}
#rows{page:wide}
#control{break-before:page}
caption,.note{font-size:8.5pt}
.under{font-size:7pt}
dl{break-inside:avoid}
}
`;

/** Of the sections, for a page that has a frame of its own. */
export const SECTIONS_STYLE = TABLES + CHARTS + PHONE + PRINT;

export const STYLE = COLORS + PAGE + SECTIONS_STYLE;
