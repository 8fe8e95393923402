// The thread that `drawer.ts` starts: draws one picture and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { drawPicture, type FlownMap } from './picture.ts'

parentPort!.postMessage(drawPicture(workerData as FlownMap))
