/** What a work prints as its last line, for the runner to read. */
export function printResult(result: { ms: number; rows?: number; requests?: number; note?: string }): void {
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(JSON.stringify({ ...result, peakMb }));
}
