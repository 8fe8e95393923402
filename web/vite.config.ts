import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, defineConfig, type Plugin } from 'vite'
import packageJson from '../package.json' with { type: 'json' }
import { sectionsOf } from '../tools/release.ts'

const require = createRequire(import.meta.url)

/** Inter under stable names, so that server-rendered pages can use the same files. */
function fonts(): Plugin {
  const folder = join(dirname(require.resolve('@fontsource-variable/inter/package.json')), 'files')
  const files = readdirSync(folder).filter((file) => file.endsWith('-wght-normal.woff2'))
  return {
    name: 'contrail-fonts',
    generateBundle() {
      for (const file of files) {
        this.emitFile({ type: 'asset', fileName: `fonts/${file}`, source: readFileSync(join(folder, file)) })
      }
    },
    configureServer(server) {
      server.middlewares.use('/fonts', (request, response, next) => {
        const file = files.find((name) => request.url === `/${name}`)
        if (!file) return next()
        response.setHeader('content-type', 'font/woff2')
        response.end(readFileSync(join(folder, file)))
      })
    },
  }
}

/** The service worker is one file of its own. It needs the list of hashed files, and changes with them. */
function serviceWorker(): Plugin {
  return {
    name: 'contrail-service-worker',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const assets = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css|json|wasm)$/.test(name))
      const built = (await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        define: { CONTRAIL_ASSETS: JSON.stringify(assets.map((name) => `/${name}`)) },
        build: {
          write: false,
          target: 'es2022',
          rolldownOptions: { input: join(import.meta.dirname, 'src/sw.js'), output: { format: 'iife' } },
        },
      })) as unknown as { output: [{ code: string }] }
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: built.output[0].code })
    },
  }
}

/** Compresses each file once at the highest level; the server only selects a variant. */
function compressed(): Plugin {
  const folder = join(import.meta.dirname, 'dist')
  return {
    name: 'contrail-compressed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|html|json|svg|wasm|webmanifest)$/.test(name)) continue
        const path = join(folder, name)
        const bytes = readFileSync(path)
        if (bytes.byteLength < 500) continue
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength }
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/** Packages with code in the files that browsers load. */
const bundled = new Set<string>()

/** Their licences must be passed on: `tools/licences.ts` reads this list. */
function listBundled(): Plugin {
  return {
    name: 'contrail-bundled',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const modules = file.type === 'chunk' ? Object.keys(file.modules) : []
        for (const id of modules) {
          const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? []
          if (name) bundled.add(name)
        }
      }
    },
    closeBundle() {
      const folder = join(import.meta.dirname, '../node_modules/.cache')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'bundled.json'), JSON.stringify([...bundled].sort()))
    },
  }
}

interface Modules {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

/** Modules that these import, with them. */
function closureOf(roots: readonly string[], modules: Modules, lazyToo = false): Set<string> {
  const found = new Set<string>()
  const open = roots.map((root) => join(import.meta.dirname, 'src', root))
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const module = found.has(id) ? null : modules.getModuleInfo(id)
    found.add(id)
    if (module) open.push(...module.importedIds, ...(lazyToo ? module.dynamicallyImportedIds : []))
  }
  return found
}

/** Small parts that nearly every page uses. */
const everywhere = [
  'screen/NoFlights.svelte',
  'screen/LogFailed.svelte',
  'screen/People.svelte',
  'log/FilterBar.svelte',
  'lib/VirtualList.svelte',
]

/**
 * Few files for the first screen: each costs the browser a millisecond or two, and there were more than eighty. A share
 * loads what it has in common with the app, and nothing of the app besides.
 */
function chunks(): (id: string, modules: Modules) => string | null {
  let app: Set<string> | undefined
  let map = new Set<string>()
  let share = new Set<string>()
  let shareLater = new Set<string>()
  return (id, modules) => {
    if (!app) {
      app = closureOf(['main.ts', ...everywhere], modules)
      map = closureOf(['globe/Globe.svelte'], modules)
      share = closureOf(['share/main.ts', 'share/SharePage.svelte'], modules)
      shareLater = closureOf(['share/main.ts'], modules, true)
    }
    if (id.endsWith('main.ts') || id.includes('.html')) return null
    if (map.has(id) && share.has(id) && !app.has(id)) return 'globe'
    if (!app.has(id)) return null
    if (share.has(id)) return 'first'
    return shareLater.has(id) ? null : 'app'
  }
}

const server = process.env.CONTRAIL_SERVER ?? 'http://localhost:3000'
const paths = [
  '/app/api',
  '/api',
  '/docs',
  '/oauth',
  '/sign-in',
  '/setup',
  '/invite',
  '/reset',
  '/confirm-mail',
  '/pages.css',
  '/share',
  '/.well-known',
]

const proxy = Object.fromEntries(paths.map((path) => [path, { target: server }]))

/** The day of this version's release, for Settings → About; null for a checkout between versions. */
const released =
  sectionsOf(readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8')).find(
    ({ name }) => name === packageJson.version,
  )?.date ?? null

export default defineConfig({
  define: { CONTRAIL_RELEASED: JSON.stringify(released) },
  root: import.meta.dirname,
  plugins: [svelte(), fonts(), serviceWorker(), compressed(), listBundled()],
  worker: { plugins: () => [listBundled()] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        share: join(import.meta.dirname, 'share.html'),
        'sign-in': join(import.meta.dirname, 'src/sign-in/passkeys.ts'),
      },
      output: {
        // The sign-in page, which the server writes, names this one.
        entryFileNames: ({ name }) => (name === 'sign-in' ? 'sign-in.js' : 'assets/[name]-[hash].js'),
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunks() }] },
      },
    },
  },
  // The web app imports rules from server/domain.
  server: { proxy, fs: { allow: [join(import.meta.dirname, '..')] } },
  preview: { proxy },
})
