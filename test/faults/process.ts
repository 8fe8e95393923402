export { isLong } from '../rounds.ts'
