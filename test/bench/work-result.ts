/** What a work prints as its last line, for the runner to read. */
export function printResult(result: { ms: number; rows?: number; requests?: number; note?: string }): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const [peakMb, cpuMs] = [Math.round(maxRSS / 1024), Math.round((userCPUTime + systemCPUTime) / 1000)];
  console.log(JSON.stringify({ ...result, peakMb, cpuMs }));
}
