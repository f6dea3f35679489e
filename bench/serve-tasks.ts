/**
 * Carries out what the process that forked this one asks for (`Child.ask`), answers, and ends with that process.
 * `port` is where this one listens; 0 when it does not.
 */
export const serveTasks = <Task>(carryOut: (task: Task) => Promise<unknown>, port = 0): void => {
  process.on('message', (task: Task) => {
    carryOut(task).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGTERM', () => process.exit(0));
  process.send?.({ ready: true, port });
};
