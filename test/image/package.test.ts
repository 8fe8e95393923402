// The Debian package: built, checked by lintian where that is installed, and installed into a small Debian without npm or a registry.
// systemd does not run there, so the service is started as its unit says.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../postgres.ts'
import { countFlights, firstFlight, type Instance, isReady, must, run, setUp } from './visit.ts'

const ROOM_MS = 10_000
const missing = ['mmdebstrap', 'dpkg-deb'].filter((program) => spawnSync(program, ['--version']).error)
const problem =
  missing.length > 0 ? `needs ${missing.join(' and ')}` : process.getuid?.() !== 0 && 'needs root'
const skip = process.env['REQUIRE_MMDEBSTRAP'] === '1' ? false : problem

describe('the Debian package', { skip }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-package-'))
  const root = join(scratch, 'root')
  const inRoot = (...words: string[]) => ['chroot', root, 'env', 'DEBIAN_FRONTEND=noninteractive', ...words]
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  let file = ''
  let key = ''
  let server: ChildProcess | undefined

  before(() => {
    const { stdout: arch } = spawnSync('dpkg', ['--print-architecture'], { encoding: 'utf8' })
    file = must(['tools/deb.sh', arch.trim(), scratch]).trim()
    const { VERSION_CODENAME: release } = Object.fromEntries(
      readFileSync('/etc/os-release', 'utf8')
        .split('\n')
        .map((line) => line.split('=')),
    )
    const sources = run([
      'sh',
      '-c',
      'grep -ls "debian.org\\|ubuntu.com" /etc/apt/sources.list /etc/apt/sources.list.d/*',
    ]).out
    // None named, mmdebstrap knows the right one.
    const from = sources.toString().split('\n').filter(Boolean)
    const needed = '--include=systemd,libstdc++6,libatomic1'
    must(['mmdebstrap', '--quiet', '--variant=minbase', needed, release!, root, ...from])
    must(['mount', '--bind', '/proc', join(root, 'proc')])
    must(['cp', file, join(root, 'tmp')])
  })

  after(async () => {
    await stop('SIGKILL')
    run(['umount', join(root, 'proc')])
    rmSync(scratch, { recursive: true, force: true })
  })

  /** Without a network. */
  const install = (...options: string[]) =>
    must(['unshare', '--net', ...inRoot('apt-get', 'install', '--yes', ...options, `/tmp/${basename(file)}`)])

  /** As systemd would: the unit's user, folder, environment and command; another port, and an address that others could reach. */
  async function start(): Promise<Instance> {
    const unit = read('usr/lib/systemd/system/contrail.service')
    const of = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!
    const port = await freePort()
    const settings = read(of('EnvironmentFile')).match(/^[A-Z_]+=.*$/gm)!
    const own = [`PORT=${port}`, `ORIGIN=http://flights.test:${port}`, of('Environment')]
    must(
      inRoot(
        'install',
        '-d',
        '-m',
        of('StateDirectoryMode'),
        '-o',
        of('User'),
        '-g',
        of('Group'),
        `/var/lib/${of('StateDirectory')}`,
      ),
    )
    const as = [
      'chroot',
      `--userspec=${of('User')}:${of('Group')}`,
      root,
      'env',
      '-i',
      `--chdir=${of('WorkingDirectory')}`,
    ]
    const [command, ...words] = [...as, ...settings, ...own, ...of('ExecStart').split(' ')]
    const child = spawn(command!, words, { stdio: ['ignore', 'pipe', 'pipe'] })
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
    server = child
    const contrail = (...rest: string[]) => run(inRoot('contrail', ...rest))
    const instance = { url: `http://127.0.0.1:${port}`, log: () => log, contrail }
    await isReady(instance)
    return instance
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = server
    server = undefined
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(ROOM_MS) })
    child.kill(signal)
    const [code] = await ended
    if (signal === 'SIGTERM') assert.equal(code, 0)
  }

  test('passes lintian', (t) => {
    if (spawnSync('lintian', ['--version']).error) return t.skip('lintian is not installed')
    must(['lintian', '--allow-root', '--fail-on', 'error', file])
  })

  test('is installed without npm or a network, and leads to the first flight', async () => {
    install()
    assert.match(read('etc/passwd'), /^contrail:.*:\/var\/lib\/contrail:\/usr\/sbin\/nologin$/m)
    assert.ok(existsSync(join(root, 'etc/systemd/system/multi-user.target.wants')), 'the service is enabled')
    assert.equal(statSync(join(root, 'etc/contrail.env')).mode & 0o777, 0o640)
    const instance = await start()
    await setUp(instance)
    key = await firstFlight(instance)
    const { out } = instance.contrail('version')
    assert.match(out.toString(), /^contrail \S+ \(node 26\./)
    assert.equal(statSync(join(root, 'var/lib/contrail')).mode & 0o777, 0o700)
    await stop()
  })

  test('its unit is valid for systemd', (t) => {
    if (spawnSync('systemd-analyze', ['--version']).error) return t.skip('there is no systemd here')
    must(inRoot('systemd-analyze', 'verify', '/usr/lib/systemd/system/contrail.service'))
  })

  test('an upgrade keeps settings and data', async () => {
    appendFileSync(join(root, 'etc/contrail.env'), 'LOG_LEVEL=debug\n')
    install('--reinstall')
    assert.match(read('etc/contrail.env'), /^LOG_LEVEL=debug$/m)
    const instance = await start()
    assert.equal(await countFlights(instance, key), 1)
    await stop()
  })

  test('removed, it leaves settings and data; purged, the data, and says where it is', async () => {
    must(inRoot('apt-get', 'remove', '--yes', 'contrail'))
    assert.ok(!existsSync(join(root, 'usr/lib/contrail')))
    assert.match(read('etc/contrail.env'), /^LOG_LEVEL=debug$/m)
    install()
    assert.equal(await countFlights(await start(), key), 1)
    await stop()
    const said = must(inRoot('apt-get', 'purge', '--yes', 'contrail'))
    assert.match(said, /still in \/var\/lib\/contrail/)
    assert.ok(!existsSync(join(root, 'etc/contrail.env')))
    assert.ok(existsSync(join(root, 'var/lib/contrail/contrail.sqlite')))
  })
})
