import app from '@slack/bolt/dist/App.js';
import httpReceiver from '@slack/bolt/dist/receivers/HTTPReceiver.js';
import socketModeReceiver from '@slack/bolt/dist/receivers/SocketModeReceiver.js';

/** What is used of Bolt (5.1), file by file: its index loads Express as well, 100 files and 25 ms of the start. */
export const { default: App, LogLevel } = app;
export const { default: HTTPReceiver } = httpReceiver;
export const { default: SocketModeReceiver } = socketModeReceiver;
