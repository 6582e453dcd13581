/**
 * The console's style sheet: that of the report's page, and what only a page that can be used needs. Colours, type and
 * spacing are the report's own words, so that a page on paper looks like the page on the screen.
 */
import { PAPER_STYLE, SCREEN_STYLE } from '../../views/report/style.ts';

const PAGE = `
main{max-width:76rem;margin:0 auto;padding:1.5rem 1.5rem 4rem}
[tabindex="-1"]:focus{outline:none}
.stripe{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem 1.5rem;padding:.5rem max(1.5rem,50% - 36.5rem);background:var(--panel);border-bottom:.3rem solid}
.stripe.live{border-color:var(--bad)}
.stripe.sandbox{border-color:var(--moving)}
.stripe p{margin:0}
.stripe nav{flex:1}
.stripe ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:0;padding:0;list-style:none}
.stripe nav a{display:inline-block;padding:.35rem 0;text-decoration:none}
.stripe nav a:hover{text-decoration:underline}
.stripe nav a[aria-current]{color:var(--ink);font-weight:600;text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:.4em}
.leave{display:flex;margin:0;align-items:center;gap:.6rem;font-size:.875rem}
.place{display:inline-block;margin-left:.4rem;border:1px solid transparent;padding:.1rem .6rem;border-radius:.25rem;font-size:.8125rem;letter-spacing:.04em;color:var(--paper)}
h1{margin:0 0 1rem;font-size:1.75rem;line-height:1.25;overflow-wrap:anywhere}
h2{margin:2.5rem 0 .75rem;font-size:1.3125rem;line-height:1.3}
h3{margin:1.5rem 0 .5rem;font-size:1.0625rem}
.said{margin:0 0 1rem;padding:.6rem 1rem;border-left:.35rem solid var(--good);background:var(--panel)}
.alarm{margin:0 0 1rem;padding:.6rem 1rem;border-left:.35rem solid var(--bad);background:var(--panel)}
.doubtful{margin:0 0 1rem;padding:.6rem 1rem;border-left:.35rem solid var(--doubt);background:var(--panel)}
:is(.said,.alarm,.doubtful,.drop,fieldset,.chart)>:is(:first-child,legend+*){margin-top:0}
:is(.said,.alarm,.doubtful,.drop,fieldset,td,li)>:last-child{margin-bottom:0}
.back{margin:0 0 .5rem;font-size:.9375rem}
.back::before{content:"‹ "/""}
ul.lines{margin:0 0 1rem;padding:0;list-style:none}
.badge{font-weight:600;white-space:nowrap}
.part{margin:-.6rem 0 .6rem 1.5rem}
.counts{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0;padding:0;list-style:none}
code{font:.875em/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;background:var(--panel);border-radius:.2rem;padding:.1rem .3rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(9rem,max-content) 1fr;gap:.35rem 1.5rem;margin:0 0 1.25rem}
dt{font-weight:600}
`;

const TABLES = `
.wide{overflow-x:auto;margin:0 0 1.25rem}
.wide table{margin:0}
.wide>table:not(:has(th:nth-child(6))){width:auto;min-width:min(100%,46rem)}
.wide th,.wide td{max-width:min(34rem,75vw);overflow-wrap:break-word}
.wide td:last-child:not(.num){min-width:7rem}
.wide .num{white-space:nowrap}
.sums{max-width:30rem}
tfoot>:first-child>*{border-top:2px solid var(--line)}
tfoot>*>*{font-weight:600}
time{white-space:nowrap}
.stack time{white-space:normal}
#look tbody th{white-space:nowrap}
.outcome{margin:0 0 .5rem;font-size:1.3125rem;font-weight:600}
.outcome.bad{border-left:.35rem solid var(--bad);padding-left:.8rem}
.counts li a{display:block;color:inherit;text-decoration:none}
.counts li a:hover span{text-decoration:underline}
.filter,.line{display:flex;flex-wrap:wrap;align-items:end;gap:.6rem 1rem}
.filter>*,.line>*{margin:0}
.filter>div{flex:0 1 22rem}
.filter .choice{display:inline-block;margin:0 1rem 0 0}
`;

const FORMS = `
form{margin:0 0 1rem}
label{display:block;font-weight:600;margin:.6rem 0 .2rem}
label .under{font-weight:400}
input,select,textarea{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--quiet);border-radius:.25rem;padding:.45rem .6rem;max-width:100%}
input[type=text],input:not([type]),textarea,select{width:min(28rem,100%)}
input[type=checkbox],input[type=radio]{width:1.15rem;height:1.15rem;vertical-align:-.15rem;margin-right:.4rem}
label.choice{font-weight:400;margin:.3rem 0;padding-left:1.55rem;text-indent:-1.55rem}
.choice *{text-indent:0}
:is(input,select)+:is(button,.button){margin-left:.5rem}
.choice+select{margin-left:1.55rem}
th label{margin:0}
td select{min-width:9rem}
input[aria-invalid=true]{border:2px solid var(--bad)}
.wrong{color:var(--bad);font-weight:600}
fieldset{min-width:0;border:1px solid var(--line);border-radius:.4rem;margin:1rem 0;padding:.6rem 1rem 1rem}
legend{font-weight:600;padding:0 .4rem}
button,.button{display:inline-block;font:inherit;font-weight:600;color:var(--ink);background:var(--panel);border:1px solid var(--quiet);border-radius:.3rem;padding:.5rem 1.1rem;margin:.4rem .4rem 0 0;cursor:pointer;text-decoration:none;min-height:2.75rem}
:is(td,.leave) :is(button,.button){margin:0;padding:.2rem .8rem;min-height:2rem;font-size:.875rem;white-space:nowrap}
td form{margin:0}
.pick{white-space:nowrap}
button:hover,.button:hover{border-color:var(--ink)}
::file-selector-button{font:inherit;font-weight:600;color:inherit;background:var(--panel);border:1px solid var(--quiet);border-radius:.25rem;padding:.2rem .7rem;margin-right:.7rem}
button.main,.button.main{color:var(--paper);background:var(--link);border-color:var(--link)}
button.grave{color:var(--paper);background:var(--bad);border-color:var(--bad)}
.drop{border:2px dashed var(--quiet);border-radius:.5rem;padding:1.5rem;text-align:center}
.drop.over{border-color:var(--link);background:var(--panel)}
.inline{display:inline}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
summary{cursor:pointer;padding:.4rem 0}
.mend p{margin:.2rem 0 .6rem}
.others{font-size:.9375rem}
.cell{display:inline-block;margin-right:1.2rem;overflow-wrap:anywhere}
progress{width:min(30rem,100%);height:1.2rem;accent-color:var(--link)}
`;

const WAY = `
.steps{display:flex;flex-wrap:wrap;gap:.3rem .6rem;margin:0 0 1.25rem;padding:0;list-style:none;font-size:.9375rem;color:var(--quiet)}
.steps li{flex:1 1 6rem;padding:.35rem .1rem;border-top:.25rem solid var(--line)}
.steps .done{border-color:var(--good)}
.steps .done b{color:var(--good)}
.steps [aria-current]{border-color:var(--link);color:var(--ink);font-weight:600}
html{scroll-padding:1rem 0 7rem}
.bar{position:sticky;bottom:0;z-index:1;display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;gap:.5rem;margin:1.5rem -1.5rem -4rem;padding:.6rem 1.5rem;background:var(--paper);border-top:1px solid var(--line);box-shadow:0 -.3rem .8rem rgb(0 0 0/.08)}
.bar p{flex:1 1 16rem;margin:0}
.bar :is(button,.button,form){margin:0}
footer{max-width:76rem;margin:0 auto;padding:4rem 1.5rem 1rem}
footer p{margin:0}
:is(.num,time,.money){white-space:nowrap}
`;

const SMALL = `
@media screen and (max-width:52rem){
main{padding:1rem 1rem 3rem}
.bar{margin:1.5rem -1rem -3rem;padding:.5rem 1rem}
.bar :is(button,.button){flex:1;text-align:center}
.bar .inline{flex:1;display:flex}
.steps{flex-wrap:nowrap;gap:.3rem;font-size:.75rem}
.steps li{flex:1 1 auto}
footer{padding:3rem 1rem 1rem}
.stripe{padding:.5rem 1rem}
.stripe{gap:.3rem .6rem}
.stripe p{flex:1;white-space:nowrap}
.stripe ul{gap:.2rem .8rem;font-size:.875rem}
.stripe nav{order:1;flex-basis:100%}
.place{margin-left:.2rem;padding:.1rem .3rem;font-size:.6875rem;letter-spacing:0}
.leave{margin-left:auto;gap:.3rem;font-size:.8125rem}
:is(td,.leave) :is(button,.button){padding:.2rem .5rem}
.wide time,td :is(button,.button){white-space:normal!important}
.wide time{display:inline-block;min-width:5rem}
.wide td:last-child:not(.num){min-width:6rem}
:is(input,select)+:is(button,.button){margin-left:0}
h1{font-size:1.375rem}
dl{grid-template-columns:1fr;gap:0}
dd{margin-bottom:.6rem}
th,td{padding:.4rem .3rem}
.counts li{min-width:calc(50% - .3rem);flex:1}
}
@media screen and (max-width:40rem){
.wide>table:has([data-name]){min-width:0;width:100%}
.wide>table:has([data-name]) thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.wide>table:has([data-name]),.wide>table:has([data-name])>:not(thead),.wide>table:has([data-name]) tr{display:block}
.wide>table:has([data-name]) tr{margin:0 0 .8rem;padding:.5rem .8rem;border:1px solid var(--line);border-radius:.4rem}
.wide>table:has([data-name]) tr>*{display:block;border:0;padding:.15rem 0;text-align:left;overflow-wrap:anywhere}
.wide [data-name]::before{content:attr(data-name);display:block;color:var(--quiet);font-size:.8125rem;font-weight:400}
.wide [data-name]:empty{display:none}
.wide>table:has([data-name]) tr>[data-name]{white-space:normal}
.wide .num{white-space:nowrap!important}
}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important;scroll-behavior:auto!important}}
@media print{
.stripe nav,.leave,.skip,.back,.steps,.bar,form,button,.button,input,details,#do,#others,#more,.said{display:none!important}
.part{margin-top:0}
.stripe{padding:0 0 2mm;background:none}
main{padding:4mm 0 0;max-width:none}
.counts li{padding:1mm 2mm;min-width:0}
.counts b{font-size:10pt}
.outcome{font-size:11pt}
footer{display:block;padding:2mm 0 0}
.wide{overflow:visible}
}
`;

export const CONSOLE_STYLE = SCREEN_STYLE + PAGE + TABLES + FORMS + WAY + PAPER_STYLE + SMALL;
