/**
 * What people call the columns, in English, French and Portuguese.
 *
 * Matching is exact after folding (case, spaces, accents, punctuation), never fuzzy: a wrong column pays a
 * wrong account. A header with a currency in it (`Amount (USD)`, `Amount €`) is left alone on purpose: it may be
 * another currency than the institution's, so the user has to say that it is meant.
 */
import { parseCurrency } from '../money/currency.ts';
import { foldText } from '../text/fold.ts';
import type { Field } from './row.ts';

export const REQUIRED_FIELDS: readonly Field[] = ['country', 'institution', 'account', 'amount'];

const ALIASES: Readonly<Record<Field, string>> = {
  reference:
    'reference|ref|payment reference|payment ref|your reference|reference number|reference no|ref no|payment id|' +
    'invoice|invoice number|invoice no|référence|réf|référence paiement|référence du paiement|numéro de facture|' +
    'n° de facture|facture|référence de facture|referência|referência de pagamento|número da fatura|fatura',
  country:
    'country|destination country|beneficiary country|recipient country|receiving country|to country|country code|' +
    'destination|bank country|pays|pays de destination|pays du bénéficiaire|pays bénéficiaire|pays destinataire|' +
    'país|país de destino|país do beneficiário|destino|country name|country iso',
  institution:
    'institution|institution name|institution id|bank|bank name|beneficiary bank|recipient bank|receiving bank|' +
    'financial institution|bank or wallet|bank / wallet|bank or mobile money|bank or provider|mobile money provider|' +
    'provider|operator|network|payout institution|banque|nom de la banque|banque du bénéficiaire|établissement|' +
    'institution financière|opérateur|banque ou opérateur|banco|nome do banco|banco do beneficiário|instituição|' +
    'instituição financeira|operadora|operador|bank or institution|bank / momo|bank or momo|bank / mobile money|' +
    'banque / opérateur|banco / operadora|banco ou operadora',
  account:
    'account|account number|account no|account num|acct|acct no|acct number|a/c|a/c no|a/c number|' +
    'beneficiary account|beneficiary account number|beneficiary account no|recipient account|bank account|' +
    'bank account number|bank account no|wallet|wallet number|mobile money number|momo number|iban|' +
    'account or wallet|account / wallet|account number or wallet|account/iban|compte|numéro de compte|n° de compte|' +
    'no de compte|n° compte|compte bancaire|compte bénéficiaire|compte du bénéficiaire|rib|conta|número da conta|' +
    'número de conta|nº da conta|nº de conta|nº conta|conta bancária|conta do beneficiário|nib|conta / iban|' +
    'nº de conta / iban|n° de compte / iban|compte / iban',
  name:
    'name|account name|account holder|account holder name|name of account holder|beneficiary|beneficiary name|' +
    'name of beneficiary|payee|payee name|full name|employee|employee name|staff name|supplier|supplier name|' +
    'vendor|vendor name|recipient|recipient name|receiver|receiver name|nom|nom complet|nom du bénéficiaire|' +
    'bénéficiaire|titulaire|titulaire du compte|nom du titulaire|fournisseur|nom du fournisseur|employé|salarié|' +
    'nome|nome completo|nome do beneficiário|beneficiário|titular|titular da conta|nome do titular|fornecedor|' +
    'funcionário|empregado|colaborador|nome do colaborador|nome do funcionário|nome do trabalhador|' +
    'nome e apelido|nom et prénom|nom et prénoms|nom & prénom|nom & prénoms|nom prénom|prénom et nom|prénoms et nom|' +
    "nom de l'employé|nom du salarié",
  phone:
    'phone|phone number|phone no|telephone|telephone number|tel|mobile|mobile number|mobile no|mobile phone|cell|' +
    'cell phone|msisdn|contact number|beneficiary phone|recipient phone|téléphone|numéro de téléphone|' +
    'n° de téléphone|portable|téléphone mobile|telefone|número de telefone|telemóvel|celular',
  amount:
    'amount|payment amount|amount to pay|amount payable|amount due|net pay|net salary|net amount|salary|' +
    'amount in destination currency|local amount|montant|montant à payer|montant net|salaire net|net à payer|salaire|' +
    'somme|montante|valor|valor a pagar|valor líquido|quantia|salário líquido|salário|vencimento líquido|' +
    'líquido a receber|valor a receber|salaire net à payer|montant net à payer',
  currency:
    'currency|currency code|ccy|payment currency|destination currency|account currency|devise|monnaie|code devise|' +
    'moeda|divisa|código da moeda',
  note:
    'note|notes|narration|description|memo|remark|remarks|payment details|details|purpose|payment purpose|comment|' +
    'comments|message|motif|motif du paiement|libellé|commentaire|commentaires|remarque|objet|nota|notas|descrição|' +
    'motivo|observação|observações|detalhes|descritivo',
  source:
    'source|source country|from country|originating country|origin country|sending country|sender country|' +
    "pays d'origine|pays source|pays d'envoi|pays émetteur|país de origem|país de envio|origem",
  replaces: 'payfile_replaces|replaces',
};

const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  (Object.keys(ALIASES) as Field[]).flatMap((field) =>
    ALIASES[field].split('|').map((alias) => [foldText(alias), field] as const),
  ),
);

/** The field that a header names; undefined for a column of the user's own. */
export function fieldOfHeader(header: string): Field | undefined {
  const withoutRemark = header.replace(
    /\((?:required|optional|obligatoire|facultatif|obrigatório|opcional)\)/i,
    '',
  );
  const field = FIELD_OF.get(foldText(withoutRemark));
  return field === 'amount' && signsIn(header) !== '' ? undefined : field;
}

/**
 * The field that a person may mean by a header, although it is not taken for it: `Net Pay (GHS)`, `Amount USD`,
 * `Account (new)`. Beside a column that is taken, somebody has to say which of the two counts.
 */
export function fieldMaybeMeant(header: string): Field | undefined {
  if (fieldOfHeader(header) !== undefined || NOT_USED.test(header)) return undefined;
  const bare = header
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\p{Sc}/gu, ' ')
    .trim();
  const [first = '', ...others] = bare.split(/\s+/);
  const last = others.at(-1) ?? '';
  const isCode = (word: string) => /^[A-Z]{3}$/.test(word) && parseCurrency(word) !== undefined;
  const named = isCode(last) ? [first, ...others.slice(0, -1)] : isCode(first) ? others : [first, ...others];
  return fieldOfHeader(named.join(' '));
}

/** So a redo file calls a column that was passed over. */
export const PASSED_OVER = '(not used)';
/** What an amount is in words is no second amount. */
const NOT_USED = /\((?:not used|in (?:words|letters)|en (?:toutes )?lettres|por extenso)\)\s*$/i;

/** Currency and percent signs, which folding leaves out: `Amount ($)` is not `Amount`. */
export function signsIn(header: string): string {
  return (header.match(/[\p{Sc}%‰]/gu) ?? []).join('');
}

/** Two headers are the same to a person: case, accents, spaces and punctuation do not count, signs of money do. */
export function isSameHeader(left: string, right: string): boolean {
  if (signsIn(left) !== signsIn(right)) return false;
  const folded = foldText(left);
  return folded === '' ? left.trim() === right.trim() : folded === foldText(right);
}

/** `0` → `A`, `26` → `AA`. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}
