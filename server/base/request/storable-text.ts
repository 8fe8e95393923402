// Text that both engines can store.
import { AppError, detail, type ErrorDetail } from '../errors.ts'

const FAULTS_AT_MOST = 50

/**
 * PostgreSQL refuses U+0000 and lone surrogates, and JSON cannot carry them safely. The member `except` is skipped: its parts
 * are checked individually where they are read.
 */
export function requireStorableText(value: unknown, except?: string): void {
  const details: ErrorDetail[] = []
  // One path for the whole walk; copied only when a problem is found.
  const path: (string | number)[] = []
  const isSound = (text: string): boolean => {
    if (!text.includes('\u0000') && text.isWellFormed()) return true
    details.push(detail(path, 'not_storable'))
    return false
  }
  const visit = (item: unknown): void => {
    if (details.length >= FAULTS_AT_MOST) return
    if (typeof item === 'string') isSound(item)
    else if (Array.isArray(item)) {
      for (let i = 0; i < item.length; i++) step(i, item[i])
    } else if (item !== null && typeof item === 'object') {
      for (const key in item) {
        if (path.length === 0 && key === except) continue
        if (isSound(key)) step(key, (item as Record<string, unknown>)[key])
      }
    }
  }
  const step = (key: string | number, inner: unknown) => {
    path.push(key)
    visit(inner)
    path.pop()
  }
  visit(value)
  if (details.length > 0) throw new AppError('validation_failed', 'validation_failed', { details })
}
