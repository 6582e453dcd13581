/**
 * An account that stands in several columns, as payrolls of French- and Portuguese-speaking countries have it: code of the
 * bank, code of the branch, number and key. The number alone may be another account at another branch.
 */
import { fieldOfHeader } from '../../rows/column-names.ts';
import { foldText } from '../../text/fold.ts';
import { message } from '../../text/message.ts';
import { maskOf } from '../../text/sensitive.ts';
import type { SeenColumn } from '../look.ts';
import type { Asks } from '../question.ts';
import { choice, isIn, listed, openColumns, quoted, shown, usedFor } from './columns.ts';

export const askAccountParts: Asks = (look, said) => {
  const columns = openColumns(look, said);
  const used = usedFor(columns, 'account');
  if (used?.isSaid === true) return [];
  const number = used ?? columns.find(isNumber);
  if (number === undefined || !NUMBER.test(foldText(number.header))) return [];
  const others = columns.filter((column) => column !== number);
  const [bank, branch, key] = [BANK, BRANCH, KEY].map((words) =>
    others.find((column) => words.test(foldText(column.header)) && isCode(column)),
  );
  const parts = [bank, branch, number, key].filter((part) => part !== undefined);
  const isAccount = key !== undefined ? parts.length > 1 : bank !== undefined && branch !== undefined;
  if (!isAccount) return [];
  const together = parts.map(({ examples }) => (examples[0] ?? '').trim()).join('');
  return [
    {
      code: 'account_in_parts',
      text: message(
        'account_in_parts',
      )`Is the account all of ${listed(parts.map((part) => shown(part, part === number)))} together? ${quoted(number.header)} alone may be another account at another branch.`,
      headers: parts.map(({ header }) => header),
      settles: ['account'],
      choices: [
        choice(
          `Pay the account that they make together, such as ${maskOf(together)}`,
          isIn('account', ...parts),
        ),
        choice(`Pay the account in ${quoted(number.header)} alone`, isIn('account', number)),
      ],
    },
  ];
};

const NUMBER =
  /^(?:n|no|num|numero|nr)?(?:de|du|da|d)?(?:compte|cpte|conta|account|account(?:no|number|num)|ac(?:ct)?no|rib|nib|bancaire)*$/;
const BANK =
  /^(?:code|cod|codigo|n|no|id)?(?:de|du|do|da|dela)?(?:banque|bank|banco|etablissement|etab|instituicao)(?:code)?$|^(?:code)?cib$/;
const BRANCH =
  /^(?:code|cod|codigo|n|no)?(?:de|du|do|da|del)?(?:guichet|agence|agencia|balcao|branch|localite|ville)(?:code)?$/;
const KEY =
  /^(?:la)?(?:cle|clef|key|chave)(?:rib|nib|ribkey|de?controle|du?rib|compte)?$|^(?:rib|control|check)(?:key|cle|digits?)$|^(?:digitos?|algarismos?)(?:de)?(?:controlo?e?|verifica(?:cao|dores?))?$/;

const isNumber = (column: SeenColumn) => fieldOfHeader(column.header) === 'account';

/** A few letters and digits, and no name. */
function isCode({ examples }: SeenColumn): boolean {
  return examples.every((each) => /^[A-Z]{0,3}\d{1,6}$/i.test(each.trim()));
}
