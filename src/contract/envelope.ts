/**
 * The envelope around every answer of the payment service.
 *
 * Source:  service interface, section 2.1. The letter case of `status` differs between endpoints, `code` is
 *          an integer or an integer as string, `data` is an empty object on failure.
 */
import { z } from 'zod';
import { NumberText } from './exact-json.ts';

/** A JSON number or a string of digits, kept as text. */
export const IntegerText = z
  .union([z.instanceof(NumberText).transform((number) => number.text), z.string()])
  .refine((text) => /^-?\d{1,18}$/.test(text), 'expected an integer');

/** A JSON number or a plain decimal string, kept as text: amounts, rates and fees are never doubles here. */
export const DecimalText = z
  .union([z.instanceof(NumberText).transform((number) => number.text), z.string()])
  .refine((text) => /^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,2})?$/.test(text), 'expected a decimal number');

/** An identifier: text, or a JSON number kept digit by digit. */
export const IdText = z
  .union([z.instanceof(NumberText).transform((number) => number.text), z.string()])
  .refine((text) => /^[!-~]{1,128}$/.test(text), 'expected an identifier of 1 to 128 visible characters');

export const Envelope = z.looseObject({
  status: z.string(),
  data: z.unknown(),
  message: z.string().optional(),
  code: IntegerText,
  fetched: z.unknown().optional(),
});
export type Envelope = z.infer<typeof Envelope>;

/** Whether a status word means success, in any letter case. ASCII folding only: no locale can change it. */
export function isSuccessWord(status: string): boolean {
  return foldAscii(status) === 'success';
}

export function isFailureWord(status: string): boolean {
  return foldAscii(status) === 'failed';
}

/** Whether a code is the zero of success: exactly `0` or `"0"`. */
export function isZeroCode(code: string): boolean {
  return code === '0';
}

function foldAscii(text: string): string {
  return text.trim().replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}
