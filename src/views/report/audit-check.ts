/** How to check an audit file with `sha256sum` and standard tools alone: what its files are, and the commands to type. */
import { type Html, html } from '../html.ts';

const AUDIT_FILES = [
  ['report.html', 'the batch to read and print: money, every payment, every decision'],
  ['workbook.xlsx', 'the same as a workbook, with the journal and the totals'],
  ['payments.csv', 'every payment with the columns of the file that was paid'],
  ['journal.csv', 'the journal as it is booked'],
  ['chain.txt', 'the journal of payfile itself, entry by entry, with the hashes that chain it'],
  ['check.html', 'this page'],
  ['SHA256SUMS', 'the SHA-256 of each other file'],
] as const;

/** Each is a text of the chain, whose hash stands in a later one. */
const SPLIT = `mkdir texts
awk '/^(commit|list)\\t/ { close(f); f = sprintf("texts/%08d", ++n) } { print > f }' chain.txt
find texts -type f -exec sha256sum {} + | cut -c 1-64 | sort -u > found
grep -E '^(after|rows)' chain.txt | tr '\\t' '\\n' | grep -E '^[0-9a-f]{64}$' | sort -u > named
`;

const AMOUNTS = `awk -F '\\t' '
  function part(of, before, end,  text) {
    if (!match(of, before)) return ""
    text = substr(of, RSTART + RLENGTH); match(text, end); return substr(text, 1, RLENGTH)
  }
  /^list\\t/ { isRow = 1; next }
  /^commit\\t/ { isRow = 0; next }
  isRow { amount[$1] = $4 " " $5; next }
  $4 == "imported" || $4 == "replacement" { row[$2] = part($5, "\\"row\\":", "^[0-9]+") }
  END { for (id in amount) print "row " row[id], "payment " id, amount[id] }
' chain.txt | sort -k 2,2n -k 4,4n
`;

/** One a line: as text, a line end would become a space. */
const commands = (text: string) =>
  html`<pre>${text
    .trimEnd()
    .split('\n')
    .map((each) => html`${each}\n`)}</pre>\n`;

export function auditCheck(head: string, missing: ReadonlySet<string>): Html {
  const files = AUDIT_FILES.filter(([name]) => !missing.has(name));
  return html`<h2>Files</h2>
<dl>${files.map(([name, about]) => html`<dt>${name}</dt><dd>${about}</dd>\n`)}</dl>
<h2>How to check this without payfile</h2>
<p>Type the commands in the folder of these files, in a terminal of Linux. On macOS write shasum -a 256 in place of sha256sum.</p>
<h3>1. No file was changed</h3>
${commands('sha256sum -c SHA256SUMS\n')}<p>Each file has to be OK. Whoever changes a file can write this list anew, too. So compare the SHA-256 of the list with the one that payfile said when it made this, if you have it from elsewhere:</p>
${commands('sha256sum SHA256SUMS\n')}<h3>2. The chain holds</h3>
<p>payfile writes its journal as texts. Each text names the SHA-256 of the text before it (“after”) and of the rows that it adds (“rows”). These commands part chain.txt into its texts, and list the hashes that are found and those that are named:</p>
${commands(SPLIT)}<p>Every hash that is named has to be found. This prints nothing but a line of zeros, on which the first text builds:</p>
${commands('comm -23 named found\n')}<p>The last text is named by no other. This prints one line for each file that the batch was read from. Without a newer file it is one line:</p>
${commands('comm -13 named found\n')}<p>One of the lines has to be the head of the batch: <code>${head}</code>. Compare it with a report of the batch that somebody kept since its end, or with the ledger itself. Who changes, adds or takes away an entry, an amount or an approval changes this head.</p>
<h3>3. The amounts are those of the chain</h3>
<p>This prints the amount of every payment by its row, in the smallest unit of its currency (cents), as it was read from the file. A row has several lines where a newer file was read or it was paid again; the last is the newest. Compare it with the payments:</p>
${commands(AMOUNTS)}<p>Each line of the chain is one entry: number, payment, time (milliseconds since 1970), kind, what happened, and the seal. Approvals are the entries “approved” and “approve”. The seal is a hash of names, accounts and other words about persons. It proves that nobody changed them, and does not tell them.</p>
`;
}
