/**
 * What a command needs before anything is looked at.
 */
import { notConfigured } from '../../setup/compose.ts';
import type { Settings } from '../../setup/settings.ts';

/** Throws ConfigError when there is no service to work with. */
export function requireService(settings: Settings): void {
  if (settings.environment === 'live' && settings.service === undefined) throw notConfigured(settings);
}
