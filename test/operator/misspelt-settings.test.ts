// Variables that look like a misspelt setting are named; those of other programs are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '../../server/base/config.ts'
import { misspeltSettings } from '../../server/base/misspelt-settings.ts'

test('a name that is one or two letters off is named with the setting that was meant', () => {
  for (const [given, meant] of [
    ['ORGIN', 'ORIGIN'],
    ['ORIGNI', 'ORIGIN'],
    ['origin', 'ORIGIN'],
    ['DATADIR', 'DATA_DIR'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
    ['WORKER', 'WORKERS'],
    ['MAIL_IN_TLS_CRT', 'MAIL_IN_TLS_CERT'],
    ['SMPT_URL_FILE', 'SMTP_URL_FILE'],
    ['METRICS_TOKENFILE', 'METRICS_TOKEN_FILE'],
    // Only secrets can be read from files.
    ['ORIGIN_FILE', 'ORIGIN'],
    ['S3_ACCESS_KEY_ID_FILE', 'S3_ACCESS_KEY_ID'],
  ] as const)
    assert.deepEqual(misspeltSettings({ [given]: 'hunter22' }), [
      `${given} is not a setting (did you mean ${meant}?)`,
    ])
  assert.deepEqual(misspeltSettings({ WORKER: '2', ORGIN: 'x', PATH: '/bin' }), [
    'ORGIN is not a setting (did you mean ORIGIN?)',
    'WORKER is not a setting (did you mean WORKERS?)',
  ])
})

test('settings, empty variables and variables of other programs are not named', () => {
  const right = [...Object.keys(settings.shape), 'DATABASE_URL_FILE', 'OIDC_CLIENT_SECRET_FILE']
  const others =
    `PATH HOME USER LOGNAME SHELL TERM LANG LC_ALL TZ PWD OLDPWD SHLVL HOSTNAME MAIL EDITOR PAGER TMPDIR DISPLAY
    HOSTS POST HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_ENV NODE_OPTIONS NODE_VERSION YARN_VERSION NODE_EXTRA_CA_CERTS INIT_CWD
    npm_config_loglevel npm_config_cache npm_package_name npm_lifecycle_event npm_execpath COLOR CI DEBUG LOG_FILE
    INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID STATE_DIRECTORY CREDENTIALS_DIRECTORY LISTEN_FDS MAINPID NOTIFY_SOCKET
    XDG_DATA_DIRS XDG_RUNTIME_DIR SSH_CONNECTION SSH_AUTH_SOCK SUDO_USER SUDO_COMMAND UV_THREADPOOL_SIZE NODE_UNIQUE_ID
    POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB PGDATA PGHOST PUID PGID UMASK MEMORY_LIMIT POSTGRES_MEMORY_LIMIT
    CONTRAIL_VERSION SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASSWORD AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
    KUBERNETES_SERVICE_HOST KUBERNETES_PORT CONTRAIL_PORT CONTRAIL_SERVICE_HOST`.split(/\s+/)
  for (const name of [...right, ...others]) assert.deepEqual(misspeltSettings({ [name]: 'x' }), [], name)
  assert.deepEqual(misspeltSettings({ ORGIN: '' }), [])
})
