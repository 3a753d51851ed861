set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'The paper''s numbers beside ours' noenhanced
set ylabel 'effect or level [%]' noenhanced
set xrange [0:1406]
set yrange [-99.5301:369.552]
set xtics rotate by -45 noenhanced scale 0 ('fig5-dws-all' 31.8571, 'fig5-dws-heavy' 81.5714, 'fig5-dwspp-all' 131.286, 'fig5-gups-jpeg' 181, 'fig5-sad-mm' 230.714, 'fig7-dws' 280.429, 'fig2-stlb' 330.143, 'fig2-sptw' 379.857, 'fig2-stlb-heavy' 429.571, 'fig2-sptw-heavy' 479.286, 'sec4-doubled' 529, 'table6-dws-hl-1' 578.714, 'table6-dws-hl-2' 628.429, 'table6-dws-hm-1' 678.143, 'table6-dws-hm-2' 727.857, 'table6-dws-hh-1' 777.571, 'table6-dws-hh-2' 827.286, 'table6-dwspp-hl-1' 877, 'table6-dwspp-hl-2' 926.714, 'table6-dwspp-hm-1' 976.429, 'table6-dwspp-hm-2' 1026.14, 'table6-dwspp-hh-1' 1075.86, 'table6-dwspp-hh-2' 1125.57, 'fig11-dws-mask' 1175.29, 'fig13-three-best' 1225, 'fig13-four-best' 1274.71, 'fig13-three-many' 1324.43, 'fig13-four-many' 1374.14)
set label '+37 %' at 22.9286,37 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+29.8 %' at 40.7857,29.8346 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+55 %' at 72.6429,55 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+44.2 %' at 90.5,44.2159 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+34 %' at 122.357,34 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+22.7 %' at 140.214,22.7058 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '3.8x' at 172.071,280 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '3.15x' at 189.929,215.497 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.86x' at 221.786,86 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.00x' at 239.643,-0.334571 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+15 %' at 271.5,15 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.9 %' at 289.357,5.88019 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+26 %' at 321.214,26 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+11.0 %' at 339.071,11.018 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+31 %' at 370.929,31 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+33.2 %' at 388.786,33.1702 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+38 %' at 420.643,38 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+15.5 %' at 438.5,15.5461 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+46 %' at 470.357,46 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+49.4 %' at 488.214,49.3776 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-8 %' at 520.071,-8 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-10.0 %' at 537.929,-9.97802 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '34.5 %' at 569.786,34.5 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '26.0 %' at 587.643,25.9743 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.8 %' at 619.5,0.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '9.4 %' at 637.357,9.35544 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '26.3 %' at 669.214,26.3 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '20.5 %' at 687.071,20.5407 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.1 %' at 718.929,1.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '8.7 %' at 736.786,8.68125 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '7.2 %' at 768.643,7.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '9.8 %' at 786.5,9.77749 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.8 %' at 818.357,0.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '16.7 %' at 836.214,16.726 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '35.2 %' at 868.071,35.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '26.8 %' at 885.929,26.7637 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.8 %' at 917.786,0.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '9.4 %' at 935.643,9.37672 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '30.1 %' at 967.5,30.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '27.3 %' at 985.357,27.267 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.1 %' at 1017.21,1.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '8.9 %' at 1035.07,8.88168 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '8.7 %' at 1066.93,8.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '10.0 %' at 1084.79,10.0489 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.3 %' at 1116.64,1.3 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '16.7 %' at 1134.5,16.7195 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+29 %' at 1166.36,29 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+34.7 %' at 1184.21,34.6819 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.9x' at 1216.07,90 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '2.68x' at 1233.93,167.782 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.9x' at 1265.79,90 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '2.17x' at 1283.64,117.489 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '71.4 %' at 1315.5,71.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '71.4 %' at 1333.36,71.4286 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '71.4 %' at 1365.21,71.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '57.1 %' at 1383.07,57.1429 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0703223
set rmargin at screen 0.953118
set terminal svg size 1593,559
set output 'dws-rows.svg'
plot 'dws-rows.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-rows.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'ours'
set terminal png size 1593,559
set output 'dws-rows.png'
plot 'dws-rows.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-rows.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'ours'
