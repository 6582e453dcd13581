/**
 * The wire shapes of the service: the envelope around every answer, and the payload of each endpoint, in the service's names.
 *
 * Unknown members are tolerated and dropped; numbers arrive as exact text (exact-json.ts).
 * Source:  service interface, sections 2.2 to 2.11.
 */

import { z } from 'zod';
import { exactJsonText, NumberText } from './exact-json.ts';

/**
 * The envelope around every answer of the payment service.
 *
 * Source:  service interface, section 2.1. The letter case of `status` differs between endpoints, `code` is
 *          an integer or an integer as string, `data` is an empty object on failure.
 */

/** Text first: each option that does not fit costs its issues. */
const TextOrNumber = z.union([z.string(), z.instanceof(NumberText).transform((number) => number.text)]);

/** A JSON number or a string of digits, kept as text. */
export const IntegerText = TextOrNumber.refine((text) => /^-?\d{1,18}$/.test(text), 'expected an integer');

/** A JSON number or a plain decimal string, kept as text: amounts, rates and fees are never doubles here. */
export const DecimalText = TextOrNumber.refine(
  (text) => /^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,2})?$/.test(text),
  'expected a decimal number',
);

/** An identifier: text, or a JSON number kept digit by digit. */
export const IdText = TextOrNumber.refine(
  (text) => /^[!-~]{1,128}$/.test(text),
  'expected an identifier of 1 to 128 visible characters',
);

/** A character of no kind, which no database of texts holds, is shown as one that could not be read. */
const NameText = z.string().transform((text) => text.replaceAll('\0', '\ufffd'));

export const Envelope = z.looseObject({
  status: z.string(),
  data: z.unknown(),
  message: z.string().optional(),
  code: IntegerText,
  fetched: z.unknown().optional(),
});
export type Envelope = z.infer<typeof Envelope>;

/** Whether a status word means success, in any letter case. Without the flag `u` only ASCII letters are folded. */
export function isSuccessWord(status: string): boolean {
  return /^\s*success\s*$/i.test(status);
}

export function isFailureWord(status: string): boolean {
  return /^\s*failed\s*$/i.test(status);
}

/** Whether a code is the zero of success: exactly `0` or `"0"`. */
export function isZeroCode(code: string): boolean {
  return code === '0';
}

/** 2.2 — data of a successful login. `expiry` is kept as sent: it goes back as a header unchanged. */
export const SessionWire = z.object({ token: z.string().min(1), id: IdText, expiry: z.string().min(1) });
export type SessionWire = z.infer<typeof SessionWire>;

/** Keeps what came, because an amount that cannot be read is not the same as no amount. */
const ShownAmount = z.unknown().transform((value) => {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : exactJsonText(value);
});

/** 2.6 — data of a transaction lookup. Only the id and the status are relied on. */
export const TransactionWire = z.object({
  id: IdText,
  amount: ShownAmount.optional(),
  receiver: z.string().optional().catch(undefined),
  Date: z.string().optional().catch(undefined),
  // A blank word says nothing, and no setting can give it a meaning.
  Status: z.string().regex(/\S/),
  Bank: z.string().optional().catch(undefined),
  destination: z.string().optional().catch(undefined),
});

/** 2.7 — fee and speed estimate: rate in destination currency, speed in seconds, fees in source currency. */
export const EstimateWire = z.object({ rate: DecimalText, speed: IntegerText, fees: DecimalText });

/** 2.8 — exchange rate. */
export const RateWire = z.object({ rate: DecimalText });

/** 2.9 — one financial institution. */
export const InstitutionWire = z.object({
  id: IdText,
  name: z.string().min(1).pipe(NameText),
  Charges: DecimalText.optional().catch(undefined),
  Currency: z.string().regex(/^[A-Za-z]{3}$/),
});

/** 2.10 — one country. */
export const CountryWire = z.object({
  id: IdText,
  name: z.string().min(1).pipe(NameText),
  phone: z.union([z.string(), DecimalText]).optional().catch(undefined),
  iso: z.string().regex(/^[A-Za-z]{2}$/),
});

/** 2.11 — resolved account name. */
export const ResolvedNameWire = z.object({ name: NameText });

/** 2.4 — transfer request, with the amount as exact decimal text. */
interface TransferRequestWire {
  readonly Source: string;
  readonly Destination: string;
  readonly Amount: string;
  readonly Fi: string;
  readonly Note: string;
  readonly AccountNo: string;
  readonly Name: string;
  readonly Phone: string;
}

/** The body of the transfer POST: `Amount` is written as a JSON number, digit by digit. */
export function transferBody(request: TransferRequestWire): string {
  return JSON.stringify({ ...request, Amount: rawJson(request.Amount) });
}

function rawJson(decimal: string): unknown {
  if (!/^\d{1,18}(\.\d{1,6})?$/.test(decimal))
    throw new TypeError('An amount on the wire is a plain decimal');
  // JSON.rawJSON writes the digits themselves; a double would round amounts beyond 2^53.
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(decimal);
}
