import './short-lifetime';

import { together } from '../together';

together('faults/free-slots', 'faults/next-slot');
