// The files of the project that a file imports, and those that they import.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const imports = /\b(?:from |import\(|import )'(\.[^']+\.ts)'/g

export function dependenciesOf(file: string, isLeftOut = (_: string) => false): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (path: string) => {
    // An import inside a string belongs to another folder, and its file may not exist.
    if (found.has(path) || isLeftOut(path) || !existsSync(path)) return
    const source = readFileSync(path, 'utf8')
    found.set(path, source)
    for (const [, specifier] of source.matchAll(imports)) visit(join(dirname(path), specifier!))
  }
  visit(file)
  return found
}
