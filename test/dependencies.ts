// The files of the project that a file imports, and those that they import.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const imports = /\b(?:from |import\(|import )'(\.[^']+\.ts)'/g

export function dependenciesOf(file: string, isLeftOut = (_: string) => false): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (path: string) => {
    if (found.has(path) || isLeftOut(path)) return
    const source = readFileSync(path, 'utf8')
    found.set(path, source)
    for (const [, specifier] of source.matchAll(imports)) visit(join(dirname(path), specifier!))
  }
  visit(file)
  return found
}
