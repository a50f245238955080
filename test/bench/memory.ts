// Memory and pauses while something long goes on.

const MB = 1_000_000;

/** What memory grew by at the most, and the longest time in which nothing else had its turn. */
export function watchMemory() {
  const before = process.memoryUsage();
  let [heap, resident, longest, last] = [0, 0, 0, performance.now()];
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    heap = Math.max(heap, now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers);
    resident = Math.max(resident, now.rss - before.rss);
    longest = Math.max(longest, performance.now() - last - 10);
    last = performance.now();
  }, 10);
  return {
    end() {
      clearInterval(timer);
      return { heap: Math.round(heap / MB), resident: Math.round(resident / MB), longest: Math.round(longest) };
    },
  };
}
