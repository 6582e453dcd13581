/**
 * Everything the sandbox refuses, in one table: the code and message of the envelope, and the HTTP status.
 *
 * Why:     the interface shows code 1 for a failed login and says nothing of other codes and of HTTP
 *          statuses, so both are ours to choose: 200 for most, and some 4xx, for a client copes with both.
 */

export interface Refusal {
  readonly code: number;
  readonly httpStatus: number;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
}

export const REFUSALS = {
  userUnknown: refusal(1, 200, 'User does not exist'),
  passwordWrong: refusal(1, 200, 'Wrong password'),
  credentialsMissing: refusal(1, 401, 'Authentication required: id, token and expiry headers'),
  sessionUnknown: refusal(1, 401, 'Invalid session'),
  sessionExpired: refusal(1, 401, 'Session expired'),
  refusedByCode1: refusal(1, 200, 'Transfer not allowed'),

  bodyNotJson: refusal(10, 400, 'The body is not valid JSON'),
  bodyNotObject: refusal(10, 400, 'The body must be a JSON object'),
  contentType: refusal(11, 415, 'Content-Type must be application/json'),
  bodyTooLarge: refusal(12, 413, 'The body is too large'),
  pathUnknown: refusal(13, 404, 'No such endpoint'),
  methodWrong: refusal(14, 405, 'Method not allowed'),

  sourceUnknown: refusal(20, 200, 'Unknown source country'),
  destinationUnknown: refusal(21, 200, 'Unknown destination country'),
  countryUnknown: refusal(22, 404, 'Unknown country'),
  institutionUnknown: refusal(23, 200, 'Unknown financial institution'),
  institutionElsewhere: refusal(24, 200, 'The financial institution is not in the destination country'),
  nothingPaidThere: refusal(25, 200, 'Transfers to this destination are not available'),

  amountInvalid: refusal(30, 422, 'Amount must be a number above zero'),
  amountTooPrecise: refusal(31, 422, 'Amount has more decimals than the destination currency'),
  accountMissing: refusal(32, 422, 'AccountNo is required'),
  accountInvalid: refusal(33, 200, 'Invalid account number'),
  accountNotFound: refusal(34, 200, 'Account name not found'),
  nameMissing: refusal(35, 422, 'Name is required when the account is not validated'),
  fieldNotText: refusal(36, 422, 'Source, Destination, Fi, AccountNo, Name, Phone and Note must be strings'),
  noteTooLong: refusal(37, 422, 'Note is longer than 255 characters'),

  noPaymentInstrument: refusal(40, 200, 'No payment instrument is configured; add one on your dashboard'),
  balanceEmpty: refusal(41, 200, 'Insufficient funds on the payment instrument'),

  accountClosed: refusal(50, 200, 'The account is closed'),
  refusedByInstitution: refusal(51, 422, 'The receiving institution declined the transfer'),

  transferUnknown: refusal(60, 404, 'Transaction not found'),
  lookupUnavailable: refusal(70, 503, 'Account validation is temporarily unavailable'),
  rateLimited: { ...refusal(71, 429, 'Too many requests'), retryAfterSeconds: 1 },
  bookFull: refusal(72, 200, "The sandbox's book is full: start one with a new book"),
} as const satisfies Record<string, Refusal>;

function refusal(code: number, httpStatus: number, message: string): Refusal {
  return { code, httpStatus, message, retryAfterSeconds: undefined };
}
