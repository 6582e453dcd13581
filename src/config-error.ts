/** A setting that cannot be used: which, where it came from, what was seen, what was expected. Exit code 78. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'config';
}
