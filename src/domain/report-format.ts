/**
 * The formats of a report and the ends of file names that mean them.
 */
export const REPORT_FORMATS = ['csv', 'json', 'xlsx', 'html', 'pain002'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const ENDINGS: Readonly<Record<ReportFormat, string>> = {
  csv: '.csv',
  json: '.json',
  xlsx: '.xlsx',
  html: '.html',
  // The only report that is XML; people write may.pain002.xml, banks' programs want .xml.
  pain002: '.xml',
};

/** What a file name says; undefined when it says nothing. */
export function formatOfName(path: string): ReportFormat | undefined {
  const name = path.toLowerCase();
  return REPORT_FORMATS.find((format) => name.endsWith(ENDINGS[format]));
}

/** `.csv, .json, …`, for messages. */
export const REPORT_ENDINGS = REPORT_FORMATS.map((format) => ENDINGS[format]).join(', ');
