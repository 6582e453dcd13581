/**
 * What the columns of a statement or of a dashboard export are called, in English, French, German and Portuguese.
 *
 * Matching is exact after folding, as for payout files. Several columns may mean the same thing where more text
 * does no harm (narration, ids, dates); two columns of amounts have to be told apart by the person.
 */
import { isSameHeader } from '../rows/columns.ts';
import { foldText } from '../text/fold.ts';
import type { Payments } from './direction.ts';

export const STATEMENT_FIELDS = [
  'date',
  'amount',
  'credit',
  'side',
  'currency',
  'account',
  'receiver',
  'narration',
  'transfer_id',
  'status',
] as const;
export type StatementField = (typeof STATEMENT_FIELDS)[number];

const ALIASES: Readonly<Record<StatementField, string>> = {
  date:
    'date|transaction date|booking date|value date|posting date|posted|date time|datetime|created|created at|' +
    'time|timestamp|executed|executed at|sent at|date de transaction|date opération|date d’opération|' +
    'date de l’opération|date comptable|date d’exécution|date de valeur|date valeur|data|data da transação|' +
    'data da operação|data de valor|data valor|data movimento|data do movimento|data mov|date de l’écriture|' +
    'date écriture|date d’écriture|datum|buchungstag|buchungsdatum|buchung|valuta|valutadatum|wertstellung|wertstellungsdatum',
  amount:
    'amount|debit|debit amount|withdrawal|withdrawals|money out|paid out|transaction amount|payment amount|' +
    'amount sent|local amount|destination amount|montant|débit|montant débité|retrait|montante|valor|débito|quantia|' +
    'montant de l’opération|montant en devise|montant débit|montante débito|valor débito|betrag|umsatz|buchungsbetrag|soll|lastschrift|belastung',
  credit:
    'credit|credit amount|deposit|deposits|money in|paid in|crédit|dépôt|crédito|depósito|montant crédité|' +
    'montant crédit|montante crédito|valor crédito|haben|gutschrift',
  side:
    'soll/haben|soll/haben kennzeichen|s/h|debit/credit|credit/debit|dr/cr|cr/dr|d/c|c/d|debit credit indicator|' +
    'credit debit indicator|débit/crédit|sens|débito/crédito|crédito/débito|d/c indicator',
  currency: 'currency|currency code|ccy|devise|monnaie|moeda|divisa|währung',
  account:
    'account|account number|account no|beneficiary account|recipient account|receiver account|to account|' +
    'destination account|credit account|counterparty account|wallet|wallet number|msisdn|iban|compte|' +
    'numéro de compte|n° de compte|n° compte|compte bénéficiaire|compte du bénéficiaire|conta|número da conta|conta do beneficiário|' +
    'kontonummer|kontonummer/iban|empfängerkonto|gegenkonto|iban empfänger|iban des empfängers',
  receiver:
    'receiver|receiver name|recipient|recipient name|beneficiary|beneficiary name|payee|name|account name|' +
    'counterparty|bénéficiaire|nom|nom du bénéficiaire|destinataire|beneficiário|nome|nome do beneficiário|' +
    'empfänger|zahlungsempfänger|begünstigter|begünstigter/zahlungspflichtiger',
  narration:
    'narration|narrative|description|details|transaction details|payment details|reference|payment reference|' +
    'note|memo|remarks|particulars|libellé|libellé de l’opération|motif|référence|communication|descrição|' +
    'descrição do movimento|descritivo|histórico|referência|nota|détail|détails|' +
    'détail de l’opération|intitulé|descrição da operação|movimento|verwendungszweck|buchungstext|beschreibung',
  transfer_id:
    'id|transfer id|transaction id|transfer|transaction|transfer number|transaction number|transaction ref|' +
    'transaction reference|transfer reference|payfile_transfer_id|identifiant|id transaction|id de transaction|' +
    'numéro de transaction|id da transação|identificador|número da transação',
  status: 'status|state|transaction status|statut|état|estado|situação',
};

const FIELD_OF: ReadonlyMap<string, StatementField> = new Map(
  STATEMENT_FIELDS.flatMap((field) =>
    ALIASES[field].split('|').map((alias) => [foldText(alias), field] as const),
  ),
);

export type StatementMap = ReadonlyMap<StatementField, string>;
/** Index into the headers, one or more for each field that the statement has. */
export type StatementColumns = ReadonlyMap<StatementField, readonly number[]>;

/** The field that a header names; undefined for any other column. What the person mapped comes first. */
export function statementFieldOf(header: string, map: StatementMap): StatementField | undefined {
  for (const [field, mapped] of map) if (isSameHeader(header, mapped)) return field;
  const field = FIELD_OF.get(foldText(header));
  return field === undefined || map.has(field) ? undefined : field;
}

export type BoundColumns =
  | { readonly kind: 'bound'; readonly columns: StatementColumns }
  | { readonly kind: 'unusable'; readonly why: string };

/** What the person says of columns: those of `--map`, and the one of the payments. */
export function withPayments(map: StatementMap, payments: Payments | undefined): StatementMap {
  return typeof payments === 'object' ? new Map([...map, ['amount', payments.column]]) : map;
}

export function bindStatement(
  headers: readonly string[],
  map: StatementMap,
  payments?: Payments,
): BoundColumns {
  const columns = new Map<StatementField, number[]>();
  const named = withPayments(map, payments);
  for (const [index, header] of headers.entries()) {
    const field = statementFieldOf(header, named);
    if (field !== undefined) columns.set(field, [...(columns.get(field) ?? []), index]);
  }
  const lost = [...named].find(([field]) => !columns.has(field));
  if (lost !== undefined) {
    const [field, header] = lost;
    const flag =
      named === map || field !== 'amount' ? `--map ${field}="${header}"` : `--payments column "${header}"`;
    return { kind: 'unusable', why: `${flag}: that header is not there` };
  }
  for (const field of ['amount', 'credit', 'side', 'currency', 'account'] as const) {
    const [first, second] = columns.get(field) ?? [];
    if (first === undefined || second === undefined) continue;
    const both = [first, second].map((at) => `“${headers[at]}”`).join(' and ');
    return {
      kind: 'unusable',
      why: `${both} both mean ${field}; say which one counts with --map ${field}="Header"`,
    };
  }
  return { kind: 'bound', columns };
}
