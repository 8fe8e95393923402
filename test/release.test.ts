// What `npm run release` does with the files of a checkout; nothing of git is run. And this checkout: its changelog has the form that is
// read, and what people read has no placeholder.
import assert from 'node:assert/strict'
import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'node:test'
import packageJson from '../package.json' with { type: 'json' }
import { addressed, addressOf, listDisagreeing, writeAddress } from '../tools/address.ts'
import { release, sectionsOf } from '../tools/release.ts'

const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', ...addressed('.')]
let root: string
let tags: string[]
const run = (...words: string[]) => release(words, { root, today: '2027-01-15', listTags: () => tags })
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const replace = (file: string, before: string | RegExp, after: string) =>
  writeFileSync(join(root, file), read(file).replace(before, after))
const changelog = (...sections: string[]) =>
  writeFileSync(join(root, 'CHANGELOG.md'), ['# Changelog', ...sections, ''].join('\n\n'))

describe('a release', () => {
  beforeEach(() => {
    root = mkdtempSync(join(process.env['TEST_SCRATCH']!, 'release-'))
    for (const file of files) cpSync(file, join(root, file))
    run('address', 'Ada/contrail')
    tags = []
    changelog(
      '## [Unreleased]',
      '### Added\n\n- A door.',
      `## [${packageJson.version}] - 2026-12-01`,
      '- It began.',
    )
  })

  test('is prepared in the changelog, package.json and the lockfile, and then passes the check', () => {
    const locked = read('package-lock.json')
    const { lines, code } = run('prepare', '1.1.0')
    assert.equal(code, 0, lines.join('\n'))
    assert.match(lines.at(-1)!, /^git tag --annotate v1\.1\.0 /)
    assert.match(
      read('CHANGELOG.md'),
      /## \[Unreleased\]\n\n## \[1\.1\.0\] - 2027-01-15\n\n### Added\n\n- A door\.\n/,
    )
    assert.equal(JSON.parse(read('package.json')).version, '1.1.0')
    const { version, packages } = JSON.parse(read('package-lock.json'))
    assert.deepEqual([version, packages[''].version], ['1.1.0', '1.1.0'])
    const others = (text: string) => text.split('\n').slice(10).join('\n')
    assert.equal(others(read('package-lock.json')), others(locked), 'packages keep their versions')
    tags = ['v1.1.0']
    assert.deepEqual(run('check'), { lines: ['1.1.0 can be released'], code: 0 })
    assert.deepEqual(run('notes').lines, ['### Added\n\n- A door.'])
    assert.deepEqual(JSON.parse(run('latest').lines[0]!), {
      version: '1.1.0',
      date: '2027-01-15',
      security: false,
      notes: 'https://Ada.github.io/contrail/changelog#v1.1.0',
    })
  })

  test('that repairs a weakness says so to instances', () => {
    changelog('## [Unreleased]', '### Security\n\n- A window is closed (GHSA-1).')
    run('prepare', '1.1.1')
    assert.equal(JSON.parse(run('latest').lines[0]!).security, true)
  })

  test('is not prepared without a version, twice, or without a word about it', () => {
    const before = files.map(read)
    for (const version of ['', '1.1', 'v1.1.0', packageJson.version])
      assert.equal(run('prepare', version).code, 1, version)
    assert.deepEqual(files.map(read), before)
    changelog('## [Unreleased]', '## [0.9.0] - 2026-12-01', '- It began.')
    assert.match(run('prepare', '1.1.0').lines[0]!, /nothing under \[Unreleased\]/)
  })

  const faults: [string, () => void, RegExp][] = [
    ['another tag', () => tags.push('v9.9.9'), /^the tag is v9\.9\.9, package\.json says 1\.1\.0$/],
    [
      'the lockfile of another version',
      () => replace('package-lock.json', '1.1.0', '1.0.9'),
      /^package-lock\.json says 1\.0\.9/,
    ],
    [
      'a changelog that ends before it',
      () => changelog('## [1.0.0] - 2026-12-01', 'x'),
      /^the newest version in CHANGELOG\.md is 1\.0\.0/,
    ],
    [
      'an empty section',
      () => changelog('## [1.1.0] - 2027-01-15'),
      /^CHANGELOG\.md says nothing about 1\.1\.0$/,
    ],
    [
      'a section without a date',
      () => changelog('## [1.1.0]', 'x'),
      /^CHANGELOG\.md has no date for 1\.1\.0$/,
    ],
    [
      'changes that are left',
      () => replace('CHANGELOG.md', '[Unreleased]', '[Unreleased]\n\n- More.'),
      /under \[Unreleased\]/,
    ],
    [
      'no address',
      () => writeAddress(root, 'github:OWNER/contrail'),
      /^package\.json: repository says github:OWNER\/contrail/,
    ],
    [
      'a file of another address',
      () => replace('compose.yaml', 'ghcr.io/ada', 'ghcr.io/eve'),
      /^compose\.yaml: not the address of package\.json/,
    ],
  ]
  for (const [what, spoil, fault] of faults)
    test(`with ${what} is refused in one line`, () => {
      run('prepare', '1.1.0')
      spoil()
      const { lines, code } = run('check')
      assert.deepEqual([code, lines.length], [1, 1], lines.join('\n'))
      assert.match(lines[0]!, fault)
    })
})

describe('the public address', () => {
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  beforeEach(() => {
    root = mkdtempSync(join(process.env['TEST_SCRATCH']!, 'address-'))
    for (const file of files) cpSync(file, join(root, file))
  })

  test('is one line of package.json, and the same in every other file', () => {
    assert.deepEqual(listDisagreeing('.', addressOf(packageJson.repository)), [])
  })

  test('is written into all files that need it, and documents then show what was hidden', () => {
    write('README.md', '# It\n\n<!-- published\nPull `{image}`, see <{docs}>.\n\n-->\nBuild it.\n')
    assert.equal(run('address', 'Ada/contrail').code, 0)
    assert.equal(
      read('README.md'),
      '# It\n\nPull `ghcr.io/ada/contrail`, see <https://Ada.github.io/contrail/>.\n\nBuild it.\n',
    )
    assert.match(read('compose.yaml'), /^ {4}image: ghcr\.io\/ada\/contrail:\$\{CONTRAIL_VERSION:-1\}$/m)
    for (const file of ['Dockerfile', 'ca_profile.xml', 'deploy/unraid/contrail.xml', 'package.json'])
      assert.match(read(file), /Ada\/contrail/, file)
    const written = files.map(read)
    assert.deepEqual(run('address', 'Ada/contrail').lines, ['ghcr.io/ada/contrail is the image'])
    assert.deepEqual(files.map(read), written)
  })

  test('is not written without an owner', () => {
    for (const name of ['', 'contrail', 'OWNER/contrail', 'a/b/c'])
      assert.equal(run('address', name).code, 1, name)
    writeAddress(root, 'github:OWNER/contrail')
    assert.match(run('latest').lines[0]!, /names no repository/)
  })
})

describe('this checkout', () => {
  test('the changelog has the form that is read: newest first, known parts, whole sentences', () => {
    const [first, ...released] = sectionsOf(readFileSync('CHANGELOG.md', 'utf8'))
    assert.equal(first!.name, 'Unreleased')
    for (const { name, date } of released) assert.ok(/^\d+\.\d+\.\d+/.test(name) && date, name)
    for (const { text } of [first!, ...released]) {
      const parts = [...text.matchAll(/^### (.*)$/gm)].map(([, part]) => part!)
      const known = ['Upgrade notes', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
      assert.deepEqual(
        parts,
        known.filter((part) => parts.includes(part)),
        'in this order',
      )
      for (const [entry] of text.matchAll(/^- (?:[^\n]|\n {2})*/gm))
        assert.match(entry, /^- [A-Z`].*\.$/s, entry)
    }
  })

  test('no document shows a placeholder: until the address is known, only package.json has one', () => {
    const texts = globSync(['*.md', 'docs/**/*.md', '.github/**/*'], { withFileTypes: true })
    const found = texts
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => /\bOWNER\b|\bYOUR_/.test(readFileSync(file, 'utf8')))
    assert.deepEqual(found, [])
  })
})
