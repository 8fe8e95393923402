// Run by npm after an install: builds the web app. Without the development packages (`--omit=dev`) it does nothing, so that
// the install succeeds.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (existsSync(new URL('../node_modules/vite', import.meta.url))) {
  const { status } = spawnSync('npm run --silent build', { stdio: 'inherit', shell: true })
  process.exit(status ?? 1)
}
const built = existsSync(new URL('../web/dist/index.html', import.meta.url))
process.stdout.write(
  `contrail: development packages are not installed, so the web app is not built${built ? '; the one in web/dist is kept' : '; the server runs without it'}\n`,
)
