set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'The paper''s numbers beside ours' noenhanced
set ylabel 'effect or level [%]' noenhanced
set xrange [0:1308]
set yrange [-116.28:189.262]
set xtics rotate by -45 noenhanced scale 0 ('fig8-mean' 37.8095, 'fig8-best' 99.4286, 'sec1-random' 161.048, 'fig3-few-least' 222.667, 'fig3-few-most' 284.286, 'fig3-many-least' 345.905, 'fig3-many-most' 407.524, 'fig3-gesummv' 469.143, 'fig5-least' 530.762, 'fig5-most' 592.381, 'fig9-mean' 654, 'fig9-best' 715.619, 'fig10' 777.238, 'fig11-mean' 838.857, 'fig11-best' 900.476, 'fig12' 962.095, 'fig13-tlb' 1023.71, 'fig13-walkers' 1085.33, 'fig13-both' 1146.95, 'fig14-128' 1208.57, 'fig14-512' 1270.19)
set label '+30 %' at 25.9048,30 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+12.4 %' at 49.7143,12.4265 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+41 %' at 87.5238,41 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+124.5 %' at 111.333,124.45 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-26 %' at 149.143,-26 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-4.7 %' at 172.952,-4.7086 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '27 %' at 210.762,27 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '11.9 %' at 234.571,11.9025 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '61 %' at 272.381,61 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '100.0 %' at 296.19,99.9917 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '33 %' at 334,33 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0 %' at 357.81,0 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '70 %' at 395.619,70 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '88.1 %' at 419.429,88.0975 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '31 %' at 457.238,31 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.5 %' at 481.048,0.511023 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '45 %' at 518.857,45 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '72.9 %' at 542.667,72.8791 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '77 %' at 580.476,77 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '100.0 %' at 604.286,100 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-23 %' at 642.095,-23 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-10.6 %' at 665.905,-10.5972 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-29 %' at 703.714,-29 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-55.9 %' at 727.524,-55.9279 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-37 %' at 765.333,-37 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-15.6 %' at 789.143,-15.5787 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-21 %' at 826.952,-21 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-14.3 %' at 850.762,-14.3334 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-30 %' at 888.571,-30 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-57.9 %' at 912.381,-57.9495 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-42 %' at 950.19,-42 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-29.0 %' at 974,-29.0484 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+25 %' at 1011.81,25 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+32.3 %' at 1035.62,32.3282 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+8.4 %' at 1073.43,8.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+11.0 %' at 1097.24,10.9536 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.3 %' at 1135.05,5.3 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+41.1 %' at 1158.86,41.0903 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+13 %' at 1196.67,13 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.5 %' at 1220.48,5.50949 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+50 %' at 1258.29,50 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+57.1 %' at 1282.1,57.1446 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0771081
set rmargin at screen 0.977621
set terminal svg size 1453,547
set output 'simt-rows.svg'
plot 'simt-rows.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-rows.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'ours'
set terminal png size 1453,547
set output 'simt-rows.png'
plot 'simt-rows.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-rows.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'ours'
