/** A column that says how each row is paid: by the bank, or by the wallet that it names. */
import { foldText } from '../text/fold.ts';

/** `Payment Method`, `Pay mode`, `Mode de paiement`, `Forma de pagamento`. */
export function isMethodHeader(header: string): boolean {
  return METHOD.test(foldText(header));
}

const METHOD =
  /^(?:pay(?:ment|out|ing)?|disbursement|delivery|transfer|settlement)?(?:method|mode|channel|means|type|via|by)$|^(?:mode|moyen|canal|type)d?e?(?:paiement|reglement|versement|virement)$|^(?:forma|modo|metodo|meio|tipo)de(?:pagamento|recebimento)$|^(?:methodof|modeof|paid|pay)(?:payment|by|via)$/;

/** A method that is no institution of its own: the bank stands in another column. */
export function isBankWord(text: string): boolean {
  return BANK_WORD.test(foldText(text));
}

const BANK_WORD =
  /^(?:the|par|via|by|por)?(?:bank|banque|banco|banka)?(?:transfer|account|deposit|acc?t|credit|payment|wire)?$|^(?:eft|rtgs|ach|neft|pesalink|swift|nip|direct(?:deposit|credit)|virement(?:bancaire)?|transferencia(?:bancaria)?|conta(?:bancaria)?|compte(?:bancaire)?)$/;
