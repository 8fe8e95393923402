// `contrail doctor`
import { systemClock } from '../base/clock.ts'
import { runDoctor } from '../doctor/doctor.ts'
import { command, flag, sayOn } from './command.ts'

export const doctorCommands = [
  command({
    words: 'doctor',
    options: { quiet: flag('print only warnings and failures') },
    description:
      'check settings, address, disk, database and backups without changing anything; exits with 0 if all is well, 1 with warnings, 2 with failures',
    async alone({ quiet }, terminal) {
      const options = { isQuiet: quiet, now: systemClock.now(), say: sayOn(terminal) }
      terminal.exitCode = await runDoctor(terminal.env, options)
    },
  }),
]
