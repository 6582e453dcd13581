/**
 * What the service lists: countries, and the institutions of one. A file is written with these names or ids.
 */
import { codeOf, createDirectory } from '../../domain/rows/directory.ts';
import { countries, institutions } from '../../operations/lists.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { wideTable } from '../page/fields.ts';
import { option } from '../page/option.ts';
import { type Answer, page, type Visit } from '../server/route.ts';

export async function lists({ payfile, query, signal }: Visit): Promise<Answer> {
  const { countries: all } = await payfile.call(countries, {}, { signal });
  const wanted = query.get('country') ?? '';
  const directory = createDirectory(all);
  const options = all.map((country) => {
    const code = codeOf(directory, country);
    return option(code, `${country.name} (${country.iso})`, code === wanted);
  });
  const form = html`<form method="get" action="/lists" class="line"><div><label for="country">Country</label>
<select id="country" name="country">${options}</select></div>
<button>Show its institutions</button></form>
`;
  const chosen = wanted === '' ? NOTHING : await institutionsOf({ payfile, signal }, wanted);
  return page('Countries and institutions', html`${form}${chosen}${await rehearsing(payfile)}`);
}

/** Whoever tries the console has to know how trouble is made. */
async function rehearsing({ environment, sandbox }: Visit['payfile']): Promise<Html> {
  if (environment !== 'sandbox') return NOTHING;
  const { accounts } = await sandbox.scenarios();
  const rows = accounts.map(({ ending, title, sentence }) => [
    html`<code>…${ending}</code>`,
    title,
    sentence,
  ]);
  const heads = ['Account ends in', 'What it rehearses', 'What happens'];
  return html`<h2>Accounts that rehearse trouble</h2>
<p>Only in the sandbox: the last six digits of an account say what becomes of its payment.</p>
${wideTable({ label: 'Accounts that rehearse trouble', heads, rows })}`;
}

async function institutionsOf(
  { payfile, signal }: Pick<Visit, 'payfile' | 'signal'>,
  wanted: string,
): Promise<Html> {
  const { country, institutions: all } = await payfile.call(institutions, { country: wanted }, { signal });
  const rows = all.map(({ id, name, currency }) => [name, html`<code>${id}</code>`, currency]);
  const table = wideTable({
    label: `Institutions of ${country.name}`,
    heads: ['Name', 'Id', 'Currency'],
    rows,
  });
  return html`<h2>${country.name}</h2>\n${table}`;
}
