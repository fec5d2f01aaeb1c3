import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n deletes executions after this many days, unless its administrator sets another number. */
const KEPT_DAYS = 14;

const DAY_MS = 24 * 60 * 60 * 1000;

const turnOn = (setting: string): string => `Turn on ${setting} in the settings of the workflow`;

/**
 * What may delete the files of a post before the service fetches them, in this run and with the
 * settings of this workflow.
 *
 * @param due when the post is due, in Unix milliseconds
 */
export function fileWarnings(context: IExecuteFunctions, due: number): string[] {
  const { saveDataSuccessExecution, saveDataErrorExecution, saveManualExecutions } =
    context.getWorkflowSettings();
  const isManual = context.getMode() === 'manual';
  const days = (due - Date.now()) / DAY_MS;
  return [
    ...(isManual && saveManualExecutions === false
      ? [
          `This workflow does not save manual runs, so n8n deletes the files of the post soon after this one. ${turnOn('Save manual executions')}`,
        ]
      : []),
    ...(!isManual && saveDataSuccessExecution === 'none'
      ? [
          `This workflow does not save successful production executions, so n8n deletes the files of the post soon after the run. ${turnOn('Save successful production executions')}`,
        ]
      : []),
    ...(!isManual && saveDataErrorExecution === 'none'
      ? [
          `This workflow does not save failed production executions, so n8n deletes the files of the post if a later node fails. ${turnOn('Save failed production executions')}`,
        ]
      : []),
    ...(days > KEPT_DAYS
      ? [
          `The post is due more than ${KEPT_DAYS} days after this run. By then, n8n deletes executions with their files, and sooner when there are more than 10,000, unless it is configured otherwise (EXECUTIONS_DATA_MAX_AGE, EXECUTIONS_DATA_PRUNE_MAX_COUNT)`,
        ]
      : []),
  ];
}
