/** The exit codes of commands. */
export { EXIT, type ExitCode, isProblem, strongest } from '../../domain/reporting/exit-code.ts';
