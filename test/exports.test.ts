// Nothing is exported that no other file uses. Tests count as users of functions and values, which they may need to reach,
// but not of types. And the generators of reference data, whose types are checked only where their packages are installed,
// import only what exists.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'

/** Folders whose files are checked. */
const checked = ['server', 'web/src', 'bench', 'tools']

const isChecked = (file: string) =>
  checked.some((place) => file === place || file.startsWith(`${place}/`)) && !isTest(file)
const isTest = (file: string) => file.startsWith('test/') || file.endsWith('.test.ts')

const files = globSync([
  'server/**/*.{ts,js}',
  'web/src/**/*.{ts,js,svelte}',
  'web/*.ts',
  'test/**/*.ts',
  'bench/**/*.ts',
  'tools/*.{ts,js}',
  'tools/reference/*.ts',
]).filter((file) => !file.endsWith('.d.ts'))

interface Exported {
  name: string
  isType: boolean
}
/** A file that imports `name` from `target`; `*` is everything. */
interface Use {
  user: string
  target: string
  name: string
}

const scripts = /<script([^>]*)>([\s\S]*?)<\/script>/g

/** The scripts of a component; only exports of its module part can be imported. */
function scriptOf(file: string, part: 'all' | 'module'): string {
  const text = readFileSync(file, 'utf8')
  if (!file.endsWith('.svelte')) return text
  return [...text.matchAll(scripts)]
    .filter(([, attributes]) => part === 'all' || /\bmodule\b/.test(attributes!))
    .map(([, , script]) => script)
    .join('\n')
}

const parsed = new Map<string, ts.SourceFile>()

/** Parsed as a whole if it has no parts. */
function sourceOf(file: string, part: 'all' | 'module' = 'all'): ts.SourceFile {
  const name = file.endsWith('.svelte') ? `${file} ${part}` : file
  const source =
    parsed.get(name) ??
    ts.createSourceFile(file, scriptOf(file, part), ts.ScriptTarget.Latest, false, ts.ScriptKind.TS)
  parsed.set(name, source)
  return source
}

const isExported = (node: ts.Statement) =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

const boundNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))

function exportsOf(file: string): Exported[] {
  return sourceOf(file, 'module').statements.flatMap((node): Exported[] => {
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
      const { isTypeOnly } = node
      return node.exportClause.elements.map((element) => ({
        name: element.name.text,
        isType: isTypeOnly || element.isTypeOnly,
      }))
    }
    if (!isExported(node)) return []
    if (ts.isVariableStatement(node)) {
      return node.declarationList.declarations.flatMap(({ name }) =>
        boundNames(name).map((bound) => ({ name: bound, isType: false })),
      )
    }
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
    const isNamed = isType || ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)
    return isNamed && node.name ? [{ name: node.name.text, isType }] : []
  })
}

function usesIn(user: string, source: ts.SourceFile): Use[] {
  const uses: Use[] = []
  const add = (specifier: string, names: string[]) => {
    if (!specifier.startsWith('.')) return
    const target = join(dirname(user), specifier.split('?')[0]!)
    for (const name of names) uses.push({ user, target, name })
  }
  for (const node of source.statements) {
    const from =
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier
        ? (node.moduleSpecifier as ts.StringLiteral).text
        : undefined
    if (from === undefined) continue
    if (ts.isExportDeclaration(node)) {
      const { exportClause } = node
      const names = exportClause && ts.isNamedExports(exportClause) ? exportClause.elements : undefined
      add(from, names?.map(({ name, propertyName }) => (propertyName ?? name).text) ?? ['*'])
      continue
    }
    const bindings = (node as ts.ImportDeclaration).importClause?.namedBindings
    if (!bindings) continue
    if (ts.isNamedImports(bindings)) {
      add(
        from,
        bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text),
      )
    } else add(from, ['*'])
  }
  for (const [, specifier] of source.text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)) add(specifier!, ['*'])
  for (const target of chosenAtRunTime(user, source.text)) uses.push({ user, target, name: '*' })
  return uses
}

/** Files of which one is imported, as by import(`./${locale}/list.ts`). */
const chosenAtRunTime = (user: string, text: string): string[] =>
  [...text.matchAll(/\bimport\(\s*`([^`]+)`/g)].flatMap(([, template]) =>
    globSync(join(dirname(user), template!.replace(/\$\{[^}]+\}/g, '*'))),
  )

test('every export is imported somewhere', () => {
  const uses = files.flatMap((file) => usesIn(file, sourceOf(file)))
  const byTarget = Map.groupBy(uses, ({ target }) => target)
  const dead = files
    .filter((file) => isChecked(file))
    .flatMap((file) =>
      exportsOf(file)
        .filter(
          ({ name, isType }) =>
            !(byTarget.get(file) ?? []).some(
              (use) => (use.name === name || use.name === '*') && !(isType && isTest(use.user)),
            ),
        )
        .map(({ name, isType }) => `${file}: ${isType ? 'type ' : ''}${name}`),
    )
  assert.deepEqual(dead, [])
})

test('every name that a generator imports is exported', () => {
  const generators = files.filter((file) => file.startsWith('tools/reference/'))
  const unknown = generators
    .flatMap((file) => usesIn(file, sourceOf(file)))
    .filter(({ target }) => /\.[jt]s$/.test(target))
    .filter(
      ({ target, name }) =>
        !existsSync(target) || (name !== '*' && !exportsOf(target).some((it) => it.name === name)),
    )
    .map(({ user, target, name }) => `${user}: ${name} of ${target}`)
  assert.ok(generators.length > 0)
  assert.deepEqual(unknown, [])
})
