/** How long something may send nothing before it is given up: short of what makes a reader go, long enough for a bad line. */
export const TIMEOUT = 20_000; // ms
