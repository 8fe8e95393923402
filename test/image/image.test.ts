// The image, built and run as compose.yaml says. `IMAGE=NAME npm run test:image` tests one that is built already; otherwise it is built from
// Debian's packages and npm's Node, so that no image registry is needed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { freePort, type Postgres, startPostgres } from '../postgres.ts'
import { type Engine, findEngine, optionsOfCompose } from './containers.ts'
import { countFlights, firstFlight, type Instance, isReady, must, run, setUp } from './visit.ts'

const MB = 1_000_000
const LIMIT_MB = 230
const RUN = `contrail-test-${process.pid}`
const image = process.env['IMAGE'] ?? `localhost/${RUN}`

const missing = process.env['IMAGE']
  ? []
  : ['podman', 'mmdebstrap'].filter((program) => spawnSync(program, ['--version']).error)
const skip =
  missing.length > 0 && process.env['REQUIRE_PODMAN'] !== '1' ? `needs ${missing.join(' and ')}` : false

describe('the image', { skip }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-image-'))
  const volumes: string[] = []
  const containers: string[] = []
  let engine: Engine
  let postgres: Postgres

  before(async () => {
    if (!process.env['IMAGE']) build()
    const found = findEngine(image)
    assert.ok(typeof found === 'object', String(found))
    engine = found
    // PostgreSQL runs as another user, who must be able to pass through.
    must(['chmod', '0755', scratch])
    postgres = await startPostgres(scratch, false)
  })

  after(async () => {
    await postgres?.stop()
    for (const name of containers) engine.command(['rm', '--force', '--volumes', name])
    for (const name of volumes) engine.command(['volume', 'rm', name])
    // Its files belong to other users, whom only the engine may act as.
    if (engine) inScratch('rm', '-rf', '/scratch/data')
    rmSync(scratch, { recursive: true, force: true })
    if (!process.env['IMAGE']) run(['podman', 'rmi', image])
  })

  const inScratch = (...words: string[]) => {
    const { code, err } = engine.start([
      '--rm',
      '--user',
      '0',
      '--volume',
      `${scratch}:/scratch`,
      '--network',
      'host',
      image,
      ...words,
    ])
    assert.equal(code, 0, err)
  }

  /** A folder for /data that belongs to these. */
  function createFolder(name: string, owner: string): string {
    const folder = join(scratch, 'data', name)
    mkdirSync(folder, { recursive: true })
    inScratch('chown', owner, `/scratch/data/${name}`)
    inScratch('chmod', '0700', `/scratch/data/${name}`)
    return folder
  }

  function createVolume(): string {
    volumes.push(`${RUN}-${volumes.length}`)
    return volumes.at(-1)!
  }

  interface Container extends Instance {
    stop(): { code: number }
    start(): void
  }

  /** The options of compose.yaml with another folder for /data, on the host's network. */
  const runOptions = (data: string, user: Record<string, string>, settings: Record<string, string>) => [
    '--network=host',
    ...optionsOfCompose(user, settings).map((word) => word.replace(/^data:/, `${data}:`)),
  ]

  async function startContainer(
    data: string,
    user = {},
    settings: Record<string, string> = {},
  ): Promise<Container> {
    const name = `${RUN}-${containers.length}`
    const port = await freePort()
    // An address that others could reach, so that set-up needs its token; only this machine can.
    const own = { ORIGIN: `http://flights.test:${port}`, PORT: `${port}`, HOST: '127.0.0.1' }
    const options = ['--detach', '--name', name, ...runOptions(data, user, { ...own, ...settings })]
    containers.push(name)
    const { code, err } = engine.start([...options, image])
    assert.equal(code, 0, err)
    const container: Container = {
      url: `http://127.0.0.1:${port}`,
      log: () => {
        const { out, err } = engine.command(['logs', name])
        return `${out}${err}`
      },
      contrail: (...words) => engine.command(['exec', name, 'contrail', ...words]),
      stop() {
        assert.equal(engine.command(['stop', '--time', '10', name]).code, 0)
        const { out } = engine.command(['inspect', '--format', '{{.State.ExitCode}}', name])
        return { code: Number(out.toString()) }
      },
      start: () => assert.equal(engine.command(['start', name]).code, 0),
    }
    await isReady(container)
    requireHealth(name)
    return container
  }

  /** The health check of the image, in the container. */
  function requireHealth(name: string): void {
    const { out } = engine.command(['inspect', '--format', '{{json .Config.Healthcheck.Test}}', name])
    const [kind, command] = JSON.parse(out.toString())
    assert.equal(kind, 'CMD-SHELL')
    const { code, err } = engine.command(['exec', name, 'sh', '-c', command])
    assert.equal(code, 0, err)
  }

  /** From set-up to a backup that another instance restores, and everything again after a restart. */
  async function requireAll(container: Container, restoreTo: (file: Buffer) => string[]): Promise<void> {
    await setUp(container)
    const key = await firstFlight(container)
    const backup = container.contrail('backup', '-')
    assert.equal(backup.code, 0, backup.err)
    const restored = engine.start([
      ...restoreTo(backup.out),
      '--rm',
      '--restart=no',
      image,
      'contrail',
      'restore',
      '/data/backup.gz',
    ])
    assert.equal(restored.code, 0, restored.err)
    assert.deepEqual(container.stop(), { code: 0 })
    container.start()
    await isReady(container)
    assert.equal(await countFlights(container, key), 1)
    assert.deepEqual(container.stop(), { code: 0 })
  }

  const restoreAs = (name: string, owner: string, user: Record<string, string>) => (file: Buffer) => {
    const folder = createFolder(name, owner)
    writeFileSync(join(folder, 'backup.gz'), file)
    inScratch('chown', owner, `/scratch/data/${name}/backup.gz`)
    return runOptions(folder, user, {})
  }

  test('runs as compose.yaml says, from set-up to a restored backup', async () => {
    const container = await startContainer(createVolume())
    await requireAll(container, restoreAs('restored', '1000:1000', {}))
  })

  const nas = { PUID: '99', PGID: '100' }
  test('runs as PUID and PGID with a mounted folder', async () => {
    const container = await startContainer(createFolder('nas', '99:100'), nas)
    await requireAll(container, restoreAs('nas-restored', '99:100', nas))
  })

  test('runs on PostgreSQL', async () => {
    const { databaseUrl } = await postgres.place('postgres', 'contrail')
    const container = await startContainer(createVolume(), {}, { DATABASE_URL: databaseUrl! })
    assert.match(container.log(), /"engine":"postgres"/)
    await requireAll(container, restoreAs('from-postgres', '1000:1000', {}))
  })

  test('names both owners of a folder that it may not write to', () => {
    const { code, err, out } = engine.start([
      ...runOptions(createFolder('foreign', '1000:1000'), nas, {}),
      '--restart=no',
      '--rm',
      image,
    ])
    assert.equal(code, 1)
    const expected =
      'contrail: cannot use the data folder /data: it belongs to 1000:1000 and the server runs as 99:100; run "chown -R 99:100 FOLDER" on the host, or set PUID and PGID'
    assert.ok(`${out}${err}`.includes(expected), `${out}${err}`)
  })

  test('has labels, and nothing but what it needs', () => {
    const config = JSON.parse(
      engine.command(['inspect', '--format', '{{json .Config}}', image]).out.toString(),
    )
    const labels = Object.keys(config.Labels).map((name) => name.replace('org.opencontainers.image.', ''))
    const required = [
      'title',
      'description',
      'version',
      'revision',
      'created',
      'source',
      'url',
      'documentation',
      'licenses',
    ]
    assert.deepEqual(
      required.filter((name) => !labels.includes(name)),
      [],
    )
    assert.deepEqual([config.User, Object.keys(config.Volumes)], ['1000:1000', ['/data']])
    const root = unpack()
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    const sizes = files.map((file) => lstatSync(join(root, file))).filter((stat) => stat.isFile())
    const size = sizes.reduce((sum, stat) => sum + stat.size, 0) / MB
    console.log(`${image}: ${Math.round(size)} MB, ${sizes.length} files`)
    assert.ok(size <= LIMIT_MB, `${size} MB`)
    requireNone(files)
    requirePackages(root, files)
  })

  /** The image's files, as a folder. */
  function unpack(): string {
    const name = `${RUN}-unpacked`
    assert.equal(engine.command(['create', '--name', name, image]).code, 0)
    containers.push(name)
    const [root, archive] = [join(scratch, 'root'), join(scratch, 'root.tar')]
    mkdirSync(root)
    assert.equal(engine.command(['export', '--output', archive, name]).code, 0)
    must(['tar', '--extract', '--file', archive, '--directory', root, '--exclude=dev/*'])
    return root
  }

  function requireNone(files: readonly string[]): void {
    const unwanted = [
      /bin\/(?:npm|npx|corepack|yarn|apt|apt-get|dpkg|perl|python3|openssl|gcc|cc|ld)$/,
      /\.(?:map|[mc]?ts)$/,
      /(?:^|\/)\.git(?:\/|$)/,
      /\.test\.\w+$/,
      /^app\/(?:test|bench|tools|docs|deploy)\//,
      /^etc\/ssl\//,
    ]
    // The server itself is written in TypeScript.
    const found = files.filter(
      (file) => !/^app\/server\/.*\.ts$/.test(file) && unwanted.some((kind) => kind.test(file)),
    )
    assert.deepEqual(found, [])
  }

  /** Packages have their licences, and those of Debian what scanners read. */
  function requirePackages(root: string, files: readonly string[]): void {
    const text = (file: string) => readFileSync(join(root, file), 'utf8')
    const listed = readFileSync('docs/dependencies.md', 'utf8')
    const status = files.filter((file) => /^var\/lib\/dpkg\/status\.d\/./.test(file))
    assert.ok(status.length >= 6, status.join())
    for (const file of status) {
      const [name] = file.split('/').slice(-1)
      assert.ok(
        listed.includes(`| ${name!.replace(/-\d+-/, '-…-')} | `),
        `${name} is not in docs/dependencies.md`,
      )
      assert.match(text(file), new RegExp(`^Package: ${name!.replaceAll('+', '\\+')}$`, 'm'))
      assert.match(text(file), /^Version: \S+$/m, file)
      const documents = join(root, 'usr/share/doc', name!)
      const owner = lstatSync(documents).isSymbolicLink() ? readlinkSync(documents) : name
      assert.ok(files.includes(`usr/share/doc/${owner}/copyright`), `${name} has no copyright`)
    }
    const packages = files.filter((file) =>
      /^app\/node_modules\/(?:@[^/]+\/)?[^/@.]+\/package\.json$/.test(file),
    )
    const licences = text('app/THIRD-PARTY-LICENSES')
    for (const file of packages) {
      const { name, version } = JSON.parse(text(file))
      assert.ok(licences.includes(`${name} ${version}\n`), `no licence of ${name} ${version}`)
    }
    for (const part of [
      /^Node \d/m,
      /^svelte \d/m,
      /^@fontsource-variable\/inter \d/m,
      /^Debian: libc6$/m,
      /^Data$/m,
    ])
      assert.match(licences, part)
    assert.equal(JSON.parse(text('app/package.json')).version, packageJson.version)
  }
})

/** From the stand-in for Docker's image of Node. */
function build(): void {
  const base = must(['test/image/base.sh']).trim()
  // `docker` format: the other one has no health check. A chroot is enough isolation for our own build.
  const how = [
    '--format',
    'docker',
    '--network',
    'host',
    '--isolation',
    'chroot',
    '--build-arg',
    `NODE_IMAGE=${base}`,
  ]
  must(['podman', 'build', ...how, '--build-arg', `VERSION=${packageJson.version}`, '--tag', image, '.'])
}
