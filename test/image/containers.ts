// Containers of the image, started with what compose.yaml says: by podman or docker, whichever is there.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Ran, run } from './visit.ts'

/** Some machines let root neither raise its limits nor use the second hierarchy of control groups: what is proved stays the same. */
const withinLimits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000']
const withoutUnified = ['unshare', '--mount', 'sh', '-c', 'umount /sys/fs/cgroup/unified; exec "$@"', 'sh']

export interface Engine {
  name: string
  /** One command of it, such as `inspect`; what it prints. */
  command(words: readonly string[], input?: Buffer): Ran
  /** `run` with these options. */
  start(words: readonly string[], input?: Buffer): Ran
}

/** An engine that has the image, in the first of these ways in which it runs it, or why there is none. */
export function findEngine(image: string): Engine | string {
  const name = ['podman', 'docker'].find((one) => spawnSync(one, ['image', 'inspect', image]).status === 0)
  if (!name) return `neither podman nor docker has the image ${image}`
  const problems: string[] = []
  const ways = [
    [[], []],
    [[], withinLimits],
    [withoutUnified, withinLimits],
  ] as const
  for (const [wrapper, options] of ways) {
    const command = (words: readonly string[], input?: Buffer) => run([...wrapper, name, ...words], input)
    // As docker does it, podman writes nothing but what it is told to.
    const strict = name === 'podman' ? ['--read-only-tmpfs=false'] : []
    const start = (words: readonly string[], input?: Buffer) =>
      command(['run', ...options, ...strict, ...words], input)
    const tried = start(['--rm', '--network', 'host', image, 'true'])
    if (tried.code === 0) return { name, command, start }
    problems.push(tried.err.trim().split('\n').at(-1)!)
  }
  return `${name} runs no container here: ${[...new Set(problems)].join('; ')}`
}

type Variables = Record<string, string>

/** A text of a compose file with its variables. */
const filled = (text: string, variables: Variables): string =>
  String(text).replace(/\$\{(\w+):-([^}]*)\}/g, (_all, name, otherwise) => variables[name] ?? otherwise)

const flag = (name: string) => (values: string[]) => values.flatMap((value) => [`--${name}`, value])
/** What an engine calls the options of a service. The test publishes no port: it is on the host's network. */
const options: Record<string, (values: string[]) => string[]> = {
  restart: flag('restart'),
  user: flag('user'),
  environment: flag('env'),
  volumes: flag('volume'),
  stop_grace_period: ([time]) => ['--stop-timeout', time!.replace('s', '')],
  mem_limit: flag('memory'),
  tmpfs: flag('tmpfs'),
  cap_drop: flag('cap-drop'),
  security_opt: flag('security-opt'),
  read_only: () => ['--read-only'],
}
const unused = ['image', 'ports', 'env_file', 'logging']

/** The options of `run` that do what compose.yaml does, with these variables and with other values for some of its settings. */
export function optionsOfCompose(variables: Variables, settings: Variables): string[] {
  const service = parse(readFileSync('compose.yaml', 'utf8')).services.contrail
  service.environment = Object.entries({ ...service.environment, ...settings }).map((pair) => pair.join('='))
  return Object.entries<string | string[]>(service)
    .filter(([name]) => !unused.includes(name))
    .flatMap(([name, value]) => {
      const option = options[name]
      if (!option) throw new Error(`compose.yaml has ${name}, which this test does not know`)
      return option([value].flat().map((text) => filled(text, variables)))
    })
}
