/** Rounds and sizes: short with every run, long with `npm run test:faults`. */
export const isLong = process.env['FAULTS'] === 'long'
