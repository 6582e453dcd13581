/**
 * The lists of the service: countries at first, and the institutions of a country once they are needed.
 *
 * Errors:  ServiceUnavailable; SettingRefused for an originating country that is not in the list.
 */
import {
  type Country,
  type CountryId,
  createDirectory,
  type Directory,
  findSource,
  type Institution,
} from '../../domain/rows/directory.ts';
import { input, type Message, PayfileError, SaidError, said } from '../../domain/text/message.ts';
import type { Asked } from '../../ports/payment-service.ts';
import { askCountries, askInstitutions } from '../ask-lists.ts';
import type { Ports } from '../ports.ts';

type Asking = Pick<Ports, 'paymentService'>;

/** The service could not be asked before anything was sent. Exit code 69. */
export class ServiceUnavailable extends PayfileError {
  override readonly name = 'ServiceUnavailable';
  readonly code = 'service_unavailable';
}

/** A setting names something that the service does not have. Exit code 78. */
export class SettingRefused extends SaidError {
  override readonly name = 'SettingRefused';
  readonly code = 'setting_refused';
  /** The same for whoever reads it on a page, where no flag can be typed; undefined: the message has none. */
  readonly onPage: string | undefined;
  constructor(message: string | Message, options: { readonly onPage?: string } = {}) {
    super(message);
    this.onPage = options.onPage;
  }
}

/** The service's countries, ready to take institutions as they are needed. */
export async function loadDirectory(ports: Asking, signal?: AbortSignal): Promise<Directory> {
  return createDirectory(answerOf(await askCountries(ports.paymentService, signal), 'the list of countries'));
}

export async function loadInstitutions(
  directory: Directory,
  countryId: CountryId,
  ports: Asking,
  signal?: AbortSignal,
): Promise<readonly Institution[]> {
  return addInstitutions(
    directory,
    countryId,
    await askInstitutions(ports.paymentService, countryId, signal),
  );
}

export function addInstitutions(
  directory: Directory,
  countryId: CountryId,
  asked: Asked<readonly Institution[]>,
): readonly Institution[] {
  const name = directory.countryById(countryId)?.name ?? countryId;
  const institutions = answerOf(asked, `the institutions of ${name}`);
  directory.addInstitutions(countryId, institutions);
  return institutions;
}

function answerOf<Answer>(asked: Asked<Answer>, what: string): Answer {
  if (asked.kind === 'answered') return asked.answer;
  const why =
    asked.kind === 'declined' ? `it answered “${asked.message}” (code ${asked.code})` : asked.reason;
  throw new ServiceUnavailable(`Could not get ${what} from the payment service: ${why}. Try again.`);
}

export const noSource = () => new SettingRefused(NO_SOURCE, { onPage: NO_SOURCE_ON_PAGE });

const NO_SOURCE = said`The country that the money comes from is not set. Name it once: ${input('source', 'GB')}, PAYFILE_SOURCE, “source” in the configuration, or a column “source” in the file.`;
const NO_SOURCE_ON_PAGE =
  'The country that the money comes from is not set. Say it below, or add a column “source” to the file.';

export function sourceOf(directory: Directory, written: string | undefined): Country | undefined {
  if (written === undefined) return undefined;
  const found = findSource(directory, written);
  if (found.kind === 'unknown') throw new SettingRefused(found.message);
  return found.country;
}
