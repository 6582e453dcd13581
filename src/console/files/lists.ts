/** What the service lists: countries, and the institutions of one. A file is written with these names or ids. */
import { codeOf, createDirectory } from '../../domain/rows/directory.ts';
import { countries, institutions } from '../../operations/lists.ts';
import { accountsTable, scenarios } from '../../operations/sandbox.ts';
import { html, NOTHING } from '../../views/html.ts';
import { drawBlocks } from '../page/blocks.ts';
import { field, form } from '../page/fields.ts';
import { type Answer, page, type Visit } from '../server/route.ts';

export async function lists({ payfile, query, signal, desk }: Visit): Promise<Answer> {
  const { countries: all } = await payfile.call(countries, {}, { signal });
  const directory = createDirectory(all);
  const wanted = query.get('country') ?? '';
  const choices = all.map((country) => {
    const code = codeOf(directory, country);
    return [code, `${country.name} (${country.iso})`] as const;
  });
  const listed =
    wanted === '' ? undefined : await payfile.call(institutions, { country: wanted }, { signal });
  const chosen =
    listed === undefined
      ? NOTHING
      : html`<h2>${listed.country.name}</h2>\n${drawBlocks(institutions.view?.(listed) ?? [], 'Institutions')}`;
  const trouble =
    desk.environment === 'sandbox'
      ? html`<h2>Accounts that rehearse trouble</h2>
<p>Only in the sandbox: the last six digits of an account decide what happens to its payment.</p>
${drawBlocks([accountsTable((await payfile.call(scenarios, {})).accounts)], 'Accounts that rehearse trouble')}`
      : NOTHING;
  return page(
    'Countries and institutions',
    html`${form({
      ...{ method: 'get', action: '/lists', className: 'line', button: 'Show its institutions' },
      fields: html`<div>${field({ name: 'country', label: 'Country', choices, value: wanted })}</div>`,
    })}${chosen}${trouble}`,
  );
}
