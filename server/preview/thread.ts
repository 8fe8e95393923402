// The other side of `drawer.ts`: draws one picture and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { drawMap, type FlownMap } from './picture.ts'

parentPort!.postMessage(drawMap(workerData as FlownMap))
