/**
 * The payload of each endpoint, as the service interface shows it, in the names that the wire uses.
 *
 * Unknown members are tolerated and dropped; numbers arrive as exact text (exact-json.ts).
 * Source:  service interface, sections 2.2 to 2.11.
 */
import { z } from 'zod';
import { DecimalText, IdText, IntegerText } from './envelope.ts';

/** 2.2 — data of a successful login. `expiry` is kept as sent: it goes back as a header unchanged. */
export const SessionWire = z.object({ token: z.string().min(1), id: IdText, expiry: z.string().min(1) });
export type SessionWire = z.infer<typeof SessionWire>;

/** 2.6 — data of a transaction lookup. Only the id and the status are relied on. */
export const TransactionWire = z.object({
  id: IdText,
  amount: DecimalText.optional().catch(undefined),
  receiver: z.string().optional().catch(undefined),
  Date: z.string().optional().catch(undefined),
  Status: z.string(),
  Bank: z.string().optional().catch(undefined),
  destination: z.string().optional().catch(undefined),
});
export type TransactionWire = z.infer<typeof TransactionWire>;

/** 2.7 — fee and speed estimate: rate in destination currency, speed in seconds, fees in source currency. */
export const EstimateWire = z.object({ rate: DecimalText, speed: IntegerText, fees: DecimalText });
export type EstimateWire = z.infer<typeof EstimateWire>;

/** 2.8 — exchange rate. */
export const RateWire = z.object({ rate: DecimalText });
export type RateWire = z.infer<typeof RateWire>;

/** 2.9 — one financial institution. */
export const InstitutionWire = z.object({
  id: IdText,
  name: z.string().min(1),
  Logo: z.string().optional().catch(undefined),
  Charges: DecimalText.optional().catch(undefined),
  Currency: z.string().regex(/^[A-Za-z]{3}$/),
});
export type InstitutionWire = z.infer<typeof InstitutionWire>;

/** 2.10 — one country. */
export const CountryWire = z.object({
  id: IdText,
  name: z.string().min(1),
  phone: z.union([z.string(), DecimalText]).optional().catch(undefined),
  iso: z.string().regex(/^[A-Za-z]{2}$/),
  rate: DecimalText.optional().catch(undefined),
});
export type CountryWire = z.infer<typeof CountryWire>;

/** 2.11 — resolved account name. */
export const ResolvedNameWire = z.object({ name: z.string() });
export type ResolvedNameWire = z.infer<typeof ResolvedNameWire>;

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
