// What npm runs after an install: builds the web app. Without the packages that build it (`--omit=dev`) there is nothing
// to do here, and an install must not fail for it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (existsSync(new URL('../node_modules/vite', import.meta.url))) {
  const { status } = spawnSync('npm run --silent build', { stdio: 'inherit', shell: true })
  process.exit(status ?? 1)
}
const built = existsSync(new URL('../web/dist/index.html', import.meta.url))
process.stdout.write(
  `contrail: development packages are left out, so the web app is not built${built ? '; the one in web/dist stays' : '; the server runs without it'}\n`,
)
