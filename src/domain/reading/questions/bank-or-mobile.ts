/**
 * Lists of people with a bank account and people with a wallet: each pair of columns is empty where the other one is meant.
 */
import { fieldOfHeader } from '../../rows/column-names.ts';
import { foldText } from '../../text/fold.ts';
import { message } from '../../text/message.ts';
import type { Answer } from '../answer.ts';
import type { Look, SeenColumn } from '../look.ts';
import { isBankWord, isMethodHeader } from '../payment-method.ts';
import type { Asks } from '../question.ts';
import { choice, holdsNumbers, isIn, listed, openColumns, quoted, shown } from './columns.ts';

export const askBankOrMobile: Asks = (look, said) => {
  const columns = openColumns(look, said);
  if (said.some(decidesAccount)) return [];
  const [bank, provider] = institutionsIn(columns, look);
  const [account, wallet] = accountsIn(columns, look);
  if (account === undefined || wallet === undefined || bank === undefined) return [];
  if ([account, wallet, bank].some(({ isSaid }) => isSaid)) return [];
  // Without a second institution the first one has to name the wallets, too.
  if (provider === undefined && bank.filled < look.rows) return [];
  if (provider === undefined && !isWallet(wallet)) return [];
  const institutions = provider === undefined ? [bank] : [bank, provider];
  const seen = [...institutions, account, wallet];
  const two = (of: readonly SeenColumn[]) => of.map(({ name }) => name);
  const paid = [account, wallet].map((column) => quoted(column.header)).join(' or ');
  return [
    {
      code: 'bank_or_mobile',
      text: message(
        'bank_or_mobile',
      )`Are some people paid to ${shown(account, true)}, and the others to ${shown(wallet, true)}? ${listed(institutions.map((each) => shown(each)))} would say where.`,
      headers: seen.map(({ header }) => header),
      settles: ['account', 'institution'],
      ...(isSecond(wallet, 'account') || isSecond(provider, 'institution') || !areUsed(columns)
        ? {}
        : { isOffer: true }),
      choices: [
        choice(
          `Pay to ${paid}: the first of them that is filled`,
          ...(provider === undefined
            ? []
            : [{ kind: 'first_filled', field: 'institution', headers: two(institutions) } as const]),
          { kind: 'first_filled', field: 'account', headers: two([account, wallet]) },
        ),
        choice(`Pay to ${quoted(account.header)} alone`, isIn('institution', bank), isIn('account', account)),
      ],
    },
  ];
};

const decidesAccount = (answer: Answer): boolean =>
  answer.kind !== 'value' &&
  'field' in answer &&
  (answer.field === 'account' || answer.field === 'institution');

const areUsed = (columns: readonly SeenColumn[]): boolean =>
  (['account', 'institution'] as const).every((wanted) => columns.some(({ field }) => field === wanted));

/** Its header names the field as well as that of the other column does: rows may have both. */
const isSecond = (column: SeenColumn | undefined, field: 'account' | 'institution'): boolean =>
  column !== undefined && fieldOfHeader(column.header) === field;

/** The column of banks, and the one that names wallets. */
function institutionsIn(columns: readonly SeenColumn[], look: Look): readonly (SeenColumn | undefined)[] {
  const named = columns.filter((column) => isHeld(column, 'institution') && !holdsNumbers(column));
  const bank = named.find(({ header, filled }) => !isMobile(header) && filled < look.rows) ?? named[0];
  const method = columns.find(
    (column) => column !== bank && isMethodHeader(column.header) && namesWallets(column),
  );
  const isOther = (column: SeenColumn) =>
    column !== bank && column.field === undefined && PROVIDER.test(foldText(column.header));
  return [bank, method ?? columns.find((column) => isOther(column) && !holdsNumbers(column))];
}

function accountsIn(columns: readonly SeenColumn[], look: Look): readonly (SeenColumn | undefined)[] {
  const account = columns.find(
    (column) => isHeld(column, 'account') && !isMobile(column.header) && column.filled < look.rows,
  );
  const isOther = (column: SeenColumn) =>
    column !== account && (isHeld(column, 'account') || isHeld(column, 'phone') || isMobile(column.header));
  const others = account === undefined ? [] : columns.filter((column) => isOther(column) && isPhone(column));
  return [account, others.find(isWallet) ?? others[0]];
}

const isHeld = ({ field, header }: SeenColumn, wanted: 'institution' | 'account' | 'phone') =>
  field === wanted || (field === undefined && fieldOfHeader(header) === wanted);

/** Some word is neither `Bank transfer` nor `Cash`. */
function namesWallets({ words, examples }: SeenColumn): boolean {
  return [...(words?.keys() ?? examples)].some(
    (word) => !isBankWord(word) && !NO_TRANSFER.test(foldText(word)),
  );
}

const NO_TRANSFER = /^(?:cash|especes|dinheiro|numerario|cheque|check|hold|none|na)$/;

const isMobile = (header: string) => MOBILE.test(foldText(header));
const isWallet = ({ header }: SeenColumn) => WALLET.test(foldText(header));
const PROVIDER = /network|operator|provider|operateur|operadora|telco|wallet$|fournisseurdeportefeuille/;
const WALLET = /momo|wallet|mobilemoney|mpesa|carteira|portefeuille|argentmobile/;
const MOBILE =
  /momo|wallet|mobile|mpesa|phone|msisdn|cell|network|operator|operateur|operadora|telco|carteira|portable|telephone|telefone/;

const isPhone = ({ examples }: SeenColumn) =>
  examples.length > 0 && examples.every((each) => /^\+?\d{7,15}$/.test(each.replace(/[\s().-]/g, '')));
