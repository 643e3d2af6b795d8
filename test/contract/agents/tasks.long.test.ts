import { TASKS } from '../../../bench/agents/tasks.ts';
import { describeTasks } from './tasks.ts';

describeTasks(TASKS);
