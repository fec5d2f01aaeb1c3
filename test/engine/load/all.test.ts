import '../faults/short-lifetime';

import { together } from '../together';

together('load/looking', 'load/long-runs', 'load/moving-lists');
